/** What is built takes data for what its module says; a build compiles nothing beyond `src`. */
declare module "*.json" {
  const data: unknown;
  export default data;
}
