import { defineConfig, mergeConfig } from 'vitest/config';
import config from '../../../vitest.config.ts';

const mutant = JSON.parse(process.env.MUTANT ?? '{}') as { readonly file?: string; readonly source?: string };

/** The tests as always, with one source as the mutant has it. */
export default mergeConfig(
  config,
  defineConfig({
    // It would answer the source as it stands.
    test: { fsModuleCache: false },
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id: string) => (id === mutant.file ? mutant.source : undefined),
      },
    ],
  }),
);
