export default {
  // The page and the service have one origin, so no CORS is needed.
  server: { proxy: { "/v1": process.env.SERVICE ?? "http://127.0.0.1:8000" } },
  // The engine of this checkout is a link, through which React would not be found.
  resolve: { dedupe: ["react"] },
};
