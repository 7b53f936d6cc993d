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
    '?': () => {
      const dialog = one('#keys');
      if (dialog?.open === false) dialog.showModal();
    },
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

  if (location.hash === '#find') focusOn('[data-find-file]');

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

  // A text that was plain when the page was made is coloured a moment later.
  const colour = async (pause) => {
    const table = one('table[data-plain]');
    if (!table || pause > 10_000) return;
    await new Promise((done) => setTimeout(done, pause));
    const answer = await fetch(location.href).catch(() => undefined);
    const text = answer?.ok ? await answer.text() : '';
    const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('table.code:not([data-plain])');
    if (!fresh) return colour(pause * 2);
    for (const row of fresh.querySelectorAll('tr[id]')) one(`#${row.id} .src`)?.replaceWith(row.querySelector('.src'));
    table.removeAttribute('data-plain');
  };
  void colour(700);

  // A pending page asks for itself until it is another one, ever less often.
  const { poll, mark } = one('[data-poll]')?.dataset ?? {};
  let wait = 2_000;
  const look = async () => {
    try {
      const answer = await fetch(poll, { headers: { Accept: 'application/json' } });
      if (answer.ok && (await answer.json()).mark !== mark) return location.reload();
    } catch {}
    wait = Math.min(wait * 1.5, 60_000);
    setTimeout(look, wait);
  };
  if (poll) setTimeout(look, wait);
})();
