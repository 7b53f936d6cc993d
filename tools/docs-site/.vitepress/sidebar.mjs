const GROUP = /^## (.+)$/;
const PAGE = /^- \[([^\]]+)\]\(([\w./-]+)\.md\)/;

/** The list of docs/README.md: each heading is a group, each item a page. */
export function readSidebar(list) {
  const groups = [];
  for (const line of list.split('\n')) {
    const [, group] = GROUP.exec(line) ?? [];
    if (group !== undefined) groups.push({ text: group, items: [] });
    const [, text, page] = PAGE.exec(line) ?? [];
    if (page !== undefined) groups.at(-1).items.push({ text, link: `/${page}` });
  }
  return groups;
}
