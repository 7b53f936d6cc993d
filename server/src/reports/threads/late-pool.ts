import type { Piscina } from 'piscina';

export type LatePool = Pick<Piscina, 'run' | 'threads' | 'close' | 'destroy'>;

/**
 * A pool that is made with its first task: a server without one has no thread, and no code to keep threads by. Both
 * were 20 MB and a tenth of each start. `onFault`: a thread died while it was idle.
 */
export function openLate(
  options: NonNullable<ConstructorParameters<typeof Piscina>[0]>,
  onFault: (error: unknown) => void,
): LatePool {
  let pool: Piscina | undefined;
  let opening: Promise<Piscina> | undefined;
  const open = async (): Promise<Piscina> => {
    const { Piscina } = await import('piscina');
    pool = new Piscina(options);
    // Without a listener such a thread would end the process.
    pool.on('error', onFault);
    return pool;
  };
  return {
    get threads() {
      return pool?.threads ?? [];
    },
    async run(task, about) {
      opening ??= open();
      return (await opening).run(task, about);
    },
    close: async (about) => (await opening)?.close(about),
    destroy: async () => (await opening)?.destroy(),
  };
}
