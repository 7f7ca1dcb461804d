import type { ViteUserConfig } from 'vitest/config';

/** The settings every package's vitest.config.ts starts from. */
export declare function packageTests(name: string): ViteUserConfig;
