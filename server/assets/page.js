// Keys for readers who use them; every page works without. Not in fields, and not with Ctrl, Alt or Meta.
(() => {
  const isField = (element) => element?.matches?.('input, select, textarea, [contenteditable]');
  const places = () => [...document.querySelectorAll('[data-uncovered]')];
  let at = -1;

  const go = (step) => {
    const all = places();
    const further = document.querySelector(step > 0 ? 'a[data-uncovered-after]' : 'a[data-uncovered-before]');
    const isLast = step > 0 ? at === all.length - 1 : at <= 0;
    if (isLast && further) return location.assign(further.href);
    if (all.length === 0) return;
    if (at < 0 && step < 0) at = 0;
    at = (at + step + all.length) % all.length;
    const place = all[at];
    place.scrollIntoView({ block: 'center' });
    place.querySelector('a')?.focus({ preventScroll: true });
  };

  const focusOn = (selector) => {
    const field = [...document.querySelectorAll(selector)].find((one) => one.offsetParent !== null);
    if (field) field.focus();
    return field !== undefined;
  };

  const showKeys = () => {
    const dialog = document.getElementById('keys');
    if (dialog && !dialog.open) dialog.showModal();
  };

  const keys = {
    n: () => go(1),
    p: () => go(-1),
    '/': () => focusOn('input[type=search]'),
    t: () => {
      if (focusOn('[data-find-file]')) return;
      const link = document.querySelector('a[data-files]');
      if (link) location.assign(`${link.href}#find`);
    },
    '?': showKeys,
  };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target)) return;
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });

  // A choice in a filter is sent at once; its button remains for those without script.
  document.addEventListener('change', (event) => {
    if (event.target.matches?.('select[data-submit]')) event.target.form.requestSubmit();
  });

  if (location.hash === '#find') focusOn('[data-find-file]');

  // `#L12-L20` marks its lines; those of another page of a long file are asked for by `?line=`.
  const showLines = () => {
    const [, first, last = first] = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash) ?? [];
    if (first === undefined || !document.querySelector('table.code')) return;
    for (const row of document.querySelectorAll('tr.at')) row.classList.remove('at');
    const row = document.getElementById(`L${first}`);
    const asked = new URLSearchParams(location.search);
    if (row === null && asked.get('line') !== first) {
      asked.set('line', first);
      return location.replace(`?${asked}${location.hash}`);
    }
    for (let line = Number(first); line <= Number(last); line += 1) {
      const one = document.getElementById(`L${line}`);
      if (one === null) break;
      one.classList.add('at');
    }
    row?.scrollIntoView({ block: 'center' });
    at = places().findLastIndex((place) => Number(place.id.slice(1)) <= Number(first));
  };
  addEventListener('hashchange', showLines);
  showLines();

  // A text that was plain when the page was made is coloured a moment later.
  const colour = async (pause) => {
    if (!document.querySelector('table[data-plain]') || pause > 10_000) return;
    await new Promise((done) => setTimeout(done, pause));
    const answer = await fetch(location.href).catch(() => undefined);
    const text = answer?.ok ? await answer.text() : '';
    const fresh = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('table.code');
    for (const [index, table] of document.querySelectorAll('table.code').entries()) {
      const found = fresh[index];
      if (!table.matches('[data-plain]') || !found || found.matches('[data-plain]')) continue;
      const cells = found.querySelectorAll('.src');
      for (const [line, cell] of table.querySelectorAll('.src').entries()) {
        if (cells[line]?.textContent === cell.textContent) cell.replaceWith(cells[line]);
      }
      table.removeAttribute('data-plain');
    }
    return colour(pause * 2);
  };
  void colour(700);

  // A pending page asks for itself until it is another one, ever less often.
  const pending = document.querySelector('[data-poll]');
  let wait = 2_000;
  const look = async () => {
    try {
      const answer = await fetch(pending.dataset.poll, { headers: { Accept: 'application/json' } });
      // Of a repo without builds the list is asked, which says how many there are.
      const { mark, total } = answer.ok ? await answer.json() : {};
      if (answer.ok && (mark ?? `${total}`) !== pending.dataset.mark) return location.reload();
    } catch {}
    wait = Math.min(wait * 1.5, 60_000);
    setTimeout(look, wait);
  };
  if (pending) setTimeout(look, wait);
})();
