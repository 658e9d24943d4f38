/** In a build, JSON has an unknown type, because only `src` is compiled. */
declare module "*.json" {
  const data: unknown;
  export default data;
}
