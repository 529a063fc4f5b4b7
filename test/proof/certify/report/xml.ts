/** What is not well-formed in a document of elements, attributes and text alone; null if nothing. */
export function faultOfXml(document: string): string | null {
  const rest = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  if (rest === document) return 'it has no declaration';
  const open: string[] = [];
  let roots = 0;
  for (const [token] of rest.matchAll(/<[^>]*>|[^<]+/g)) {
    if (!token.startsWith('<')) {
      if (/&(?!(?:amp|lt|gt|quot|apos);)|>/.test(token)) return `text is not escaped: ${token}`;
      if (open.length === 0 && token.trim() !== '') return `text outside of the root: ${token}`;
      continue;
    }
    const end = /^<\/([\w-]+)>$/.exec(token);
    if (end !== null) {
      if (open.pop() !== end[1]) return `${token} ends another element`;
      continue;
    }
    const start = /^<([\w-]+)((?: [\w-]+="(?:[^"&<>]|&(?:amp|lt|gt|quot|apos);)*")*)>$/.exec(token);
    if (start === null) return `not an element: ${token}`;
    const names = [...(start[2] ?? '').matchAll(/ ([\w-]+)=/g)].map(([, name]) => name);
    if (new Set(names).size < names.length) return `an attribute stands twice: ${token}`;
    if (open.length === 0) roots += 1;
    open.push(start[1] ?? '');
  }
  return open.length === 0 && roots === 1 ? null : `${roots} roots, ${open.join(' ')} left open`;
}
