/** The page in one file, or null. `tools/page.mjs` writes it into `dist` after `make page`. */
const page: string | null = null;

export default page;
