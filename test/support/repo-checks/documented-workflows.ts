// The workflows that documents show.

/** As actionlint reads it: on the lines that it has in its document. */
export interface DocumentedWorkflow {
  readonly yaml: string;
  /** It says itself what starts it. */
  readonly isWhole: boolean;
}

/** A block that begins with its jobs leaves out what starts them. Blocks without jobs are of other programs. */
export function findWorkflows(text: string): readonly DocumentedWorkflow[] {
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].flatMap(({ 1: yaml = '', index }) => {
    if (!/^jobs:$/m.test(yaml)) return [];
    const isWhole = /^on:/m.test(yaml);
    const before = '\n'.repeat(text.slice(0, index).split('\n').length - (isWhole ? 0 : 1));
    return [{ isWhole, yaml: isWhole ? before + yaml : `${before}on: push\n${yaml}` }];
  });
}
