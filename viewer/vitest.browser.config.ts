import { defineConfig } from "vitest/config";

// In a real browser, one test after the other: tests/browser/run makes the pages.
export default defineConfig({
  test: { include: ["tests/browser/*.test.ts"], fileParallelism: false, testTimeout: 30_000, hookTimeout: 60_000 },
});
