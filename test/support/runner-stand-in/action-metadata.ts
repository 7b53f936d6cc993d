/** Reads of action.yml what the runner needs: the inputs and their defaults. No general YAML reader. */

/** Default by input name; `''` if none is given. */
export function readInputDefaults(actionYml: string): Map<string, string> {
  const defaults = new Map<string, string>();
  let inside = false;
  let current: string | undefined;
  for (const [index, line] of actionYml.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    if (/^\S/.test(line)) {
      inside = /^inputs:\s*(#.*)?$/.test(line);
      continue;
    }
    if (!inside) continue;
    const name = /^ {2}(?:'([^']+)'|"([^"]+)"|([\w -]+)):\s*(#.*)?$/.exec(line);
    if (name) {
      current = name[1] ?? name[2] ?? name[3] ?? '';
      defaults.set(current, '');
      continue;
    }
    const value = /^ {4}default:\s*(.*)$/.exec(line);
    if (value && current !== undefined) defaults.set(current, scalar(value[1] ?? '', index + 1));
  }
  if (defaults.size === 0) throw new Error('action.yml has no inputs, or is indented otherwise than by two blanks');
  return defaults;
}

function scalar(text: string, line: number): string {
  const value = text.trim();
  if (/^[|>&*[{]/.test(value))
    throw new Error(`action.yml line ${line}: a default must be a scalar on one line, not ${value}`);
  const single = /^'((?:[^']|'')*)'\s*(#.*)?$/.exec(value);
  if (single) return (single[1] ?? '').replaceAll("''", "'");
  const double = /^("(?:[^"\\]|\\.)*")\s*(#.*)?$/.exec(value);
  if (double) return JSON.parse(double[1] ?? '""') as string;
  const plain = value.replace(/\s+#.*$/, '');
  return plain === '~' || plain === 'null' ? '' : plain;
}

/** What expressions in defaults may name. */
export interface ExpressionContext {
  readonly githubToken: string;
  readonly workspace: string;
  /** Null outside a matrix, which `toJSON` writes as `null`. */
  readonly matrix: unknown;
}

/** Replaces `${{ … }}`; only the expressions that an action's defaults may sensibly hold are known. */
export function expandExpressions(text: string, context: ExpressionContext): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    if (/^github\.token$/i.test(expression)) return context.githubToken;
    if (/^github\.workspace$/i.test(expression)) return context.workspace;
    if (/^toJSON\(\s*matrix\s*\)$/i.test(expression)) return JSON.stringify(context.matrix, null, 2);
    throw new Error(`The expression \${{ ${expression} }} in action.yml is not known to the tests' runner`);
  });
}

/** The runner's name for an input's variable: upper case, blanks become `_`, dashes stay. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/** Reads the file behind GITHUB_OUTPUT: `name=value` lines and `name<<delimiter` blocks; a later value wins. */
export function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const block = /^([^=]*?)<<(.+)$/.exec(line);
    if (block) {
      const end = lines.indexOf(block[2] ?? '', at + 1);
      if (end < 0) throw new Error(`GITHUB_OUTPUT: no end "${block[2]}" for the output ${block[1]}`);
      outputs[block[1] ?? ''] = lines.slice(at + 1, end).join('\n');
      at = end;
      continue;
    }
    const equals = line.indexOf('=');
    if (equals < 1) throw new Error(`GITHUB_OUTPUT line ${at + 1} is neither name=value nor name<<delimiter: ${line}`);
    outputs[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return outputs;
}
