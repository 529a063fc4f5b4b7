import { readdirSync } from 'node:fs';
import { filesBelow, ROOT, textOf } from '../tidy/source';

/** The pages whose blocks are held to. */
export const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...filesBelow('docs', ['.md']),
  ...filesBelow('examples', ['.md']),
];

/** A fenced block of a page, and what the comment right above it says of it. */
export interface Block {
  readonly page: string;
  /** Of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** `<!-- block: NAME -->`: what others follow by. */
  readonly name: string | null;
  /** `<!-- after: A, B -->`: the blocks or preludes that come before it, in this order. */
  readonly after: readonly string[];
  /** `<!-- not run: REASON -->` */
  readonly notRun: string | null;
  /** `<!-- run by: FILE -->`: the test that runs it. */
  readonly runBy: string | null;
  /** `<!-- schema: FILE -->`: a file of schemas/ that a JSON block fits. */
  readonly schema: string | null;
  /** `<!-- excerpt -->`: it stands in examples/, and is checked and run there. */
  readonly isExcerpt: boolean;
}

const fence = /^(?:<!-- (?<mark>[^>]*) -->\n)?```(?<language>\S*)\n(?<code>[^]*?)^```$/gm;

/** Every fenced block of a page. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(fence)].map((found) => {
    const { mark = '', language = '', code = '' } = found.groups ?? {};
    const marks = new Map(
      mark.split(';').map((part) => {
        const [name = '', ...rest] = part.split(':');
        return [name.trim(), rest.join(':').trim()];
      }),
    );
    const strange = [...marks.keys()].filter((name) => !known.has(name));
    const line = text.slice(0, found.index).split('\n').length + (mark === '' ? 0 : 1);
    if (strange.length > 0) throw new Error(`${page}:${line}: unknown mark ${strange.join()}`);
    return {
      page,
      line,
      language,
      code,
      name: marks.get('block') ?? null,
      after: (marks.get('after') ?? '').split(/,\s*/).filter((name) => name !== ''),
      notRun: marks.get('not run') ?? null,
      runBy: marks.get('run by') ?? null,
      schema: marks.get('schema') ?? null,
      isExcerpt: marks.has('excerpt'),
    };
  });
}

const known: ReadonlySet<string> = new Set([
  '',
  'block',
  'after',
  'not run',
  'run by',
  'schema',
  'excerpt',
]);

/** The block of a page that has this name. */
export function blockOf(page: string, name: string): Block {
  const found = blocksOf(page).find((block) => block.name === name);
  if (found === undefined) throw new Error(`${page} has no block ${name}`);
  return found;
}

/** Where a block stands, for messages. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** Blocks of TypeScript or JavaScript that are programs of their own, or go on with one. */
export function isProgram({ language, isExcerpt }: Block): boolean {
  return (language === 'ts' || language === 'js') && !isExcerpt;
}
