/** The one style sheet, small enough to stand in each page. */
export const STYLES = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #f85149; --warn: #d29922; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main, header { max-width: 68rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { border-bottom: 1px solid var(--line); display: flex; gap: .75rem; flex-wrap: wrap; align-items: baseline; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.total { font-size: 2.75rem; font-weight: 650; line-height: 1.1; font-variant-numeric: tabular-nums; }
.verdict { border-left: 4px solid var(--line); padding: .5rem .9rem; margin: 1rem 0; background: var(--soft); }
.success { border-color: var(--good); } .failure { border-color: var(--bad); }
.incomplete { border-color: var(--warn); }
.error { border-color: var(--bad); }
.up { color: var(--good); } .down { color: var(--bad); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td {
  text-align: left; padding: .35rem 1.25rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
}
th { font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
td:last-child, th:last-child { padding-right: 0; }
table:not(.source) td:first-child { min-width: 8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
.source td { border: 0; padding: 0 .75rem 0 0; }
.source code { white-space: pre; } .source td:last-child { width: 100%; }
.covered { background: #2da44e22; } .missed { background: #cf222e22; }
.mark { border: 1px solid var(--line); border-radius: .25rem; padding: 0 .35rem; font-size: .8em; }
.quiet { opacity: .75; } li { margin: .2rem 0; overflow-wrap: anywhere; }
`;
