// Keys for readers who use them; every page works without. Not in fields, and not with Ctrl, Alt or Meta.
(() => {
  const isField = (element) => element?.matches?.('input, select, textarea, [contenteditable]');
  const places = () => [...document.querySelectorAll('[data-uncovered]')];
  let at = -1;

  const go = (step) => {
    const all = places();
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
      if (link) location.assign(link.href);
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

  // A pending page asks for itself until it is another one, ever less often.
  const pending = document.querySelector('[data-poll]');
  let wait = 2_000;
  const look = async () => {
    try {
      const answer = await fetch(pending.dataset.poll, { headers: { Accept: 'application/json' } });
      if (answer.ok && (await answer.json()).mark !== pending.dataset.mark) return location.reload();
    } catch {}
    wait = Math.min(wait * 1.5, 60_000);
    setTimeout(look, wait);
  };
  if (pending) setTimeout(look, wait);
})();
