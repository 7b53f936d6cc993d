// Keys for readers who use them; every page works without. Not in fields, and not with Ctrl, Alt or Meta.
(() => {
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const places = () => all('[data-uncovered]');
  let at = -1;

  const go = (step) => {
    const found = places();
    const further = one(step > 0 ? 'a[data-uncovered-after]' : 'a[data-uncovered-before]');
    const isLast = step > 0 ? at === found.length - 1 : at <= 0;
    if (isLast && further) return location.assign(further.href);
    if (found.length === 0) return;
    if (at < 0 && step < 0) at = 0;
    at = (at + step + found.length) % found.length;
    found[at].scrollIntoView({ block: 'center' });
    found[at].querySelector('a')?.focus({ preventScroll: true });
  };

  const files = () => all('article.file, details.file');
  let fileAt = -1;
  const goToFile = (step) => {
    const found = files();
    fileAt = Math.min(Math.max(fileAt + step, 0), found.length - 1);
    found[fileAt]?.scrollIntoView({ block: 'start' });
    found[fileAt]?.querySelector('summary, a')?.focus({ preventScroll: true });
  };

  // A word about what was done, for a moment.
  const say = (words) => {
    const told = Object.assign(document.createElement('p'), { className: 'told', textContent: words });
    told.setAttribute('role', 'status');
    document.body.append(told);
    setTimeout(() => told.remove(), 2_000);
  };

  const focusOn = (selector) => {
    const field = all(selector).find((each) => each.offsetParent !== null);
    field?.focus();
    return field;
  };

  const keys = {
    n: () => go(1),
    p: () => go(-1),
    '/': () => focusOn('input[type=search]'),
    t: () => {
      const files = focusOn('[data-find-file]') ? null : one('a[data-files]');
      if (files) location.assign(`${files.href}#find`);
    },
    j: () => goToFile(1),
    k: () => goToFile(-1),
    x: () => {
      const file = document.activeElement?.closest('details.file') ?? files()[fileAt];
      if (file) file.open = !file.open;
    },
    c: () => {
      const failing = all('.checklist tr.is-fail, .checklist tr.is-would');
      const next = failing[(failing.findIndex((row) => row.matches('.on')) + 1) % failing.length];
      next?.querySelector('.main a')?.click();
    },
    a: () => one('.cover-filter a:last-child')?.click(),
    y: async () => {
      if (!navigator.clipboard) return;
      await navigator.clipboard.writeText(location.href);
      say('Link copied');
    },
    '?': () => one('#keys')?.showPopover?.(),
  };

  addEventListener('keydown', (event) => {
    const isField = event.target.matches?.('input, select, textarea, [contenteditable]');
    if (event.ctrlKey || event.altKey || event.metaKey || isField || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  // A choice in a filter is sent at once; its button remains for those without script.
  addEventListener('change', ({ target }) => {
    if (target.matches?.('select[data-submit]')) target.form.requestSubmit();
  });

  // What is there to be copied has a button where the clipboard can be written.
  for (const text of navigator.clipboard ? all('.secret, pre.all') : []) {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text.textContent.trim());
      button.textContent = 'Copied';
      setTimeout(() => Object.assign(button, { textContent: 'Copy' }), 2_000);
    });
    text.after(button);
  }

  if (location.hash === '#find') focusOn('[data-find-file]');

  // All settings were on one page: a bookmark of `settings#tokens` leads to `settings/tokens`.
  const section = all('.sidenav a[id]').find(({ id }) => location.hash === `#${id}`);
  if (section) location.replace(section.href);

  // `#L12-L20` marks its lines; those of another page of a long file are asked for by `?line=`.
  const showLines = () => {
    const [, first, last = first] = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash) ?? [];
    if (first === undefined || !one('table.code')) return;
    for (const row of all('tr.at')) row.classList.remove('at');
    const row = one(`#L${first}`);
    const asked = new URLSearchParams(location.search);
    if (row === null && asked.get('line') !== first) {
      asked.set('line', first);
      return location.replace(`?${asked}${location.hash}`);
    }
    for (let line = Number(first); line <= Number(last); line += 1) {
      const marked = one(`#L${line}`);
      if (marked === null) break;
      marked.classList.add('at');
    }
    row?.scrollIntoView({ block: 'center' });
    at = places().findLastIndex((place) => Number(place.id.slice(1)) <= Number(first));
  };
  addEventListener('hashchange', showLines);
  showLines();

  // A text that was plain when the page was made is colored a moment later.
  const color = async (pause) => {
    if (!one('table[data-plain]') || pause > 10_000) return;
    await new Promise((done) => setTimeout(done, pause));
    const answer = await fetch(location.href).catch(() => undefined);
    const text = answer?.ok ? await answer.text() : '';
    const fresh = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('table.code');
    for (const [index, table] of all('table.code').entries()) {
      const found = fresh[index];
      if (!table.matches('[data-plain]') || !found || found.matches('[data-plain]')) continue;
      const cells = found.querySelectorAll('.src');
      for (const [line, cell] of table.querySelectorAll('.src').entries()) {
        if (cells[line]?.textContent === cell.textContent) cell.replaceWith(cells[line]);
      }
      table.removeAttribute('data-plain');
    }
    return color(pause * 2);
  };
  void color(700);

  // A pending page asks for itself until it is another one, ever less often.
  const { poll, mark } = one('[data-poll]')?.dataset ?? {};
  let wait = 2_000;
  const look = async () => {
    try {
      const answer = await fetch(poll, { headers: { Accept: 'application/json' } });
      // Of a repo without builds the list is asked, which says how many there are.
      const { mark: now, total } = answer.ok ? await answer.json() : {};
      if (answer.ok && (now ?? `${total}`) !== mark) return location.reload();
    } catch {}
    wait = Math.min(wait * 1.5, 60_000);
    setTimeout(look, wait);
  };
  if (poll) setTimeout(look, wait);
})();
