import type { ViteUserConfig } from 'vitest/config';

/** The settings every package's vitest.config.ts starts from. */
export declare function packageTests(name: string): ViteUserConfig;

/** For a second config, `vitest.alone.config.ts`: the `*.alone.test.ts` files, which look at what every test of this user shares. They run when all others are done. */
export declare function testsThatRunAlone(name: string): ViteUserConfig;
