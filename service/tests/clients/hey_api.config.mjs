// The extension lets Node run what tsc makes of the client.
export default {
  input: "openapi.json",
  output: { path: "hey_api", module: { extension: ".js" } },
};
