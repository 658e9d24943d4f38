/** The page in one file. `tools/page.mjs` writes it into what is built, where `make page` has made it. */
const page: string | null = null;

export default page;
