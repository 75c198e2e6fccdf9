import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file: the command puts a profile into it and hands it out as it is.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: { target: "es2022", outDir: process.env.BURSAR_VIEWER_OUT ?? "dist", emptyOutDir: true },
});
