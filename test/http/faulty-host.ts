import type { Annotation, StatusContent } from '../../server/src/core/announce/delivery.ts';
import { type CheckRunCall, type Provider, ProviderFailure } from '../../server/src/ports/provider.ts';
import type { ProviderFacts } from '../../server/src/ports/provider-facts.ts';

/** What becomes of one call of the provider. `effect`: it was done anyway. */
export type CallFate =
  | { readonly kind: 'fine' }
  | { readonly kind: 'transient' | 'permanent' }
  | { readonly kind: 'limited'; readonly wait: number }
  /** The answer is lost; with `late` the effect comes that many ms later. */
  | { readonly kind: 'uncertain'; readonly effect: boolean; readonly late?: number }
  /** The calling process dies. */
  | { readonly kind: 'death'; readonly effect: boolean };

interface Options {
  readonly now: () => number;
  /** Asked once per call. */
  readonly nextFate: () => CallFate;
}

/** What is delivered here; nothing is asked. */
type Face = Omit<Provider, keyof ProviderFacts>;

interface World {
  readonly history: Map<string, string[]>;
  readonly statuses: Map<string, StatusContent>;
  readonly comments: Map<number, { readonly id: number; body: string; readonly pullRequest: number }>;
  /** By id, in the order in which they were made. */
  readonly checkRuns: Map<number, ShownCheckRun>;
  late: { readonly at: number; readonly happen: () => void }[];
}

interface ShownCheckRun {
  readonly id: number;
  readonly place: string;
  readonly title: string;
  /** The call that it was made or updated by. */
  readonly said: string;
  readonly annotations: readonly Annotation[];
}

const placeOf = (commit: string, context: string): string => `${commit} ${context}`;

/** A git host in memory, on which several processes work. */
export function createFaultyHost(options: Options) {
  const world: World = { history: new Map(), statuses: new Map(), comments: new Map(), checkRuns: new Map(), late: [] };
  return {
    /** What every status place and every pull request showed, one after the other. */
    history: world.history,
    comments: (wanted: number) =>
      [...world.comments.values()].flatMap(({ id, body, pullRequest }) =>
        pullRequest === wanted ? [{ id, body }] : [],
      ),
    /** The last state of a context. */
    status: (commit: string, context: string) => world.statuses.get(placeOf(commit, context)),
    /** What the newest check run of a name says. */
    checkRun: (commit: string, name: string) => newestCheckRun(world, placeOf(commit, name)),
    /** The host as one process sees it; `die` is called when a fate says so, and nothing is done for the dead. */
    connect: (process: Process): Face => operationsOf(world, (act) => fare(world, options, { act, ...process })),
    /** Lets what is late happen, whatever the time. */
    settle: () => happenUntil(world, Number.POSITIVE_INFINITY),
  };
}

interface Process {
  readonly isAlive: () => boolean;
  readonly die: () => void;
}

type Suffer = <T>(act: () => T) => Promise<T>;

function operationsOf(world: World, suffer: Suffer): Face {
  const note = (place: string, text: string): void =>
    void world.history.set(place, [...(world.history.get(place) ?? []), text]);
  return {
    setStatus: ({ commit, context, content }) =>
      suffer(() => {
        world.statuses.set(placeOf(commit, context), content);
        note(placeOf(commit, context), content.description);
      }),
    readStatus: ({ commit, context }) => suffer(() => world.statuses.get(placeOf(commit, context))),
    createComment: ({ pullRequest, body }) =>
      suffer(() => {
        const id = world.comments.size + 1;
        world.comments.set(id, { id, body, pullRequest });
        note(`#${pullRequest}`, body);
        return id;
      }),
    updateComment: ({ commentId, body }) =>
      suffer(() => {
        const comment = world.comments.get(Number(commentId));
        if (comment === undefined) return 'gone';
        comment.body = body;
        note(`#${comment.pullRequest}`, body);
        return 'updated';
      }),
    findComment: ({ pullRequest, marker }) =>
      suffer(() => {
        const ofPull = [...world.comments.values()].filter((comment) => comment.pullRequest === pullRequest);
        const found = ofPull.find((comment) => comment.body.split('\n')[0] === marker);
        return found && { id: found.id, body: found.body };
      }),
    ...checkRunsOf(world, { suffer, note }),
  };
}

/** Annotations are added and never taken away; of a name the newest counts. */
function checkRunsOf(
  world: World,
  { suffer, note }: { readonly suffer: Suffer; readonly note: (place: string, text: string) => void },
): Pick<Face, 'createCheckRun' | 'updateCheckRun' | 'findCheckRun'> {
  const show = (id: number, call: CheckRunCall, annotations: readonly Annotation[]): void => {
    const { commit, name, title } = call;
    const place = placeOf(commit, name);
    world.checkRuns.set(id, { id, place, title, said: JSON.stringify(call), annotations });
    note(place, title);
  };
  return {
    createCheckRun: (call) =>
      suffer(() => {
        const id = world.checkRuns.size + 1;
        show(id, call, call.annotations);
        return id;
      }),
    updateCheckRun: ({ checkRunId, ...call }) =>
      suffer(() => {
        const known = world.checkRuns.get(Number(checkRunId));
        if (known === undefined) return 'gone';
        show(known.id, call, known.annotations);
        return 'updated';
      }),
    findCheckRun: (call) =>
      suffer(() => {
        const newest = newestCheckRun(world, placeOf(call.commit, call.name));
        return newest?.said === JSON.stringify(call) ? newest.id : undefined;
      }),
  };
}

function newestCheckRun({ checkRuns }: World, wanted: string): ShownCheckRun | undefined {
  return [...checkRuns.values()].findLast(({ place }) => place === wanted);
}

/** One call under its fate. */
async function fare<T>(
  world: World,
  { now, nextFate }: Options,
  { act, isAlive, die }: Process & { readonly act: () => T },
): Promise<T> {
  if (!isAlive()) throw new Error('a dead process calls');
  happenUntil(world, now());
  const fate = nextFate();
  await Promise.resolve();
  switch (fate.kind) {
    case 'fine':
      return act();
    case 'limited':
      throw new ProviderFailure('limited', 'slow down', { retryAt: now() + fate.wait });
    case 'death':
      if (fate.effect) act();
      die();
      throw new Error('the process died');
    case 'uncertain':
      if (fate.late !== undefined) world.late.push({ at: now() + fate.late, happen: act });
      else if (fate.effect) act();
      throw new ProviderFailure('uncertain', 'the answer is lost');
    default:
      throw new ProviderFailure(fate.kind, `fails: ${fate.kind}`);
  }
}

function happenUntil(world: World, time: number): void {
  const due = world.late.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at);
  world.late = world.late.filter((one) => !due.includes(one));
  for (const { happen } of due) happen();
}
