import { overallOf } from '../../core/builds/build-checks.ts';
import type { BuildView } from '../../core/builds/build-summary.ts';
import { showChange, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { type HostTerms, numberOf } from '../../core/repo/git-host.ts';
import { judgedChange } from '../../core/verdict/reason.ts';
import { refOf, titleOf } from '../../wording/build-name.ts';
import { lookOfOverall, overallPhrase, phraseText } from '../../wording/check-words.ts';
import { capitalize } from '../../wording/phrases.ts';
import { acceptedWords, explainVerdict } from '../../wording/verdict-words.ts';
import { type IconName, SHAPES } from './icons.tsx';
import type { Unfurling } from './page-head.tsx';

export interface SharedBuild {
  readonly build: Pick<BuildView, 'commit' | 'message' | 'number' | 'pullRequest' | 'facts' | 'result'>;
  readonly repo: { readonly name: string };
}

/** What a page of a build, or of the pull request that it is the newest of, is called and shows when it is shared. */
export interface OpenGraph extends Unfurling {
  /** An SVG in the color of the verdict, as an address that holds it. */
  readonly favicon: string;
}

/** Texts of an upload are as they were sent, except what hides or reorders: the page that shows them escapes them. */
export function openGraphOf({ build, repo }: SharedBuild, terms: HostTerms, address: string): OpenGraph {
  const pull = build.pullRequest === undefined ? '' : ` ${numberOf(terms, build.pullRequest)}`;
  const name = visibleName(build, terms);
  return {
    title: printable(`${headline(build)} · ${name} · ${repo.name}${pull}`, 200),
    description: printable(describe(build), 300),
    address,
    favicon: faviconOf(build),
  };
}

/** As everywhere, and the commit as git shortens it. */
function visibleName(build: SharedBuild['build'], terms: HostTerms): string {
  const [title, ref] = [printable(titleOf(build, terms), 80), refOf(build)];
  return title === ref ? ref : `${title} ${ref}`;
}

function headline({ result }: Pick<SharedBuild['build'], 'result'>): string {
  if (result === undefined) return 'Coverage is pending';
  if (result.verdict.state === 'incomplete') return 'Coverage is incomplete';
  if (result.verdict.state === 'error') return 'Coverage could not be calculated';
  const change = judgedChange(result);
  return `${showPercent(totalPercent(result.totals))}${change ? `, ${showChange(change)}` : ''}`;
}

function describe({ result }: Pick<SharedBuild['build'], 'result'>): string {
  if (result === undefined) return 'This build is waiting for jobs, or for the request that closes it.';
  const { verdict, cause, acceptance } = result;
  const { failing, wouldFail } = overallOf(result);
  const isOfTotal = [...failing.ids, ...wouldFail.ids].every((id) => id === 'total');
  if (!isOfTotal) return phraseText(overallPhrase(result, 'the base'));
  const accepted = acceptance?.holds ? `, ${acceptedWords(acceptance)}` : '';
  return `${capitalize(verdict.state)}${accepted}: ${explainVerdict(verdict, cause)}`;
}

/** As the tokens of the style sheet have them: readable on a light and on a dark tab. */
const FILLS: Readonly<Record<VerdictIcon, string>> = {
  ok: '#2f9e7d',
  fail: '#d9622f',
  incomplete: '#b57d00',
  pending: '#7a828e',
  would: '#b57d00',
};

type VerdictIcon = Extract<IconName, 'ok' | 'fail' | 'incomplete' | 'pending' | 'would'>;

function iconOf({ result }: Pick<SharedBuild['build'], 'result'>): VerdictIcon {
  return result === undefined ? 'pending' : lookOfOverall(overallOf(result));
}

/** The shape that is beside the verdict on its page, so that color is not the only cue. */
function faviconOf(build: Pick<SharedBuild['build'], 'result'>): string {
  const icon = iconOf(build);
  const [outline, mark] = SHAPES[icon];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${outline}" fill="${FILLS[icon]}"/>` +
    `<path d="${mark}" fill="none" stroke="#fff" stroke-width="1.75" stroke-linecap="round"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
