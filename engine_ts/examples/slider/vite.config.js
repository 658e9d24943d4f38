export default {
  // The service answers under the address of the page, so it needs no CORS.
  server: { proxy: { "/v1": process.env.SERVICE ?? "http://127.0.0.1:8000" } },
  // The engine of this checkout is a link, from which React would not be found.
  resolve: { dedupe: ["react"] },
};
