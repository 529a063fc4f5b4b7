import { codeOnly } from './source';

/** A phrase that reads as translated, and what to write in its place. */
interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Phrases to keep out of comments and texts: what is meant has a word of the field, or a plainer one. */
const phrases: readonly Phrase[] = [
  { pattern: /\bleft in peace\b/i, instead: 'circuit breaker open' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) told\b(?! to\b)/i,
    instead: 'answered, reported',
  },
  { pattern: /\btold (?:as|of|so)\b/i, instead: 'answered as, reported as' },
  { pattern: /\bwhoever\b/i, instead: 'anyone who, the next call, another process' },
  { pattern: /\bsomebody else\b/i, instead: 'another process, another call' },
  { pattern: /\ball the same\b/i, instead: 'nevertheless, too' },
  { pattern: /\bby chance\b/i, instead: 'random, at random' },
  { pattern: /\bwhere there (?:is|are|was|were) none\b/i, instead: 'if there is none' },
  { pattern: /\bstand(?:s|ing)? for\b/i, instead: 'is, means' },
  { pattern: /\b(?:not|is|are|was|were) heard\b/i, instead: 'ignored' },
  { pattern: /\bgo(?:es|ne)? without\b/i, instead: 'skipped, lacks' },
  { pattern: /\bunder way\b/i, instead: 'in flight, pending, running' },
  { pattern: /\bin work\b/i, instead: 'in flight' },
  { pattern: /\blets? go of\b/i, instead: 'closes, releases' },
  { pattern: /\bin vain\b/i, instead: 'failed' },
  { pattern: /\bas (?:it stands|they stand)\b/i, instead: 'as written, unchanged' },
  {
    pattern: /\b(?:that|which|what) (?:is|are) no(?:ne)?\b(?! longer)/i,
    instead: 'not a, invalid',
  },
  { pattern: /\bstands? on\b/i, instead: 'depends on' },
  { pattern: /\bown matter\b/i, instead: 'what it throws is ignored' },
  {
    pattern: /\b(?:null|undefined|empty|nothing|absent) without one\b/i,
    instead: 'null if there is none',
  },
  { pattern: /\bthe \w+ at hand\b/i, instead: 'the current one' },
  { pattern: /\bonly when somebody asks\b/i, instead: 'on a scrape, when it is read' },
  { pattern: /\bthose that are code\b/i, instead: 'functions' },
  {
    pattern:
      /\bbeside (?:its|their|money|loopback|the (?:known|request|body|port|pages|members))\b/i,
    instead: 'besides',
  },
];

/** Each phrase in a source's comments and texts that reads as translated, as `line: found -> instead`. */
export function translatedPhrases(source: string): string[] {
  return proseOf(source).flatMap(({ text, line }) =>
    phrases.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text);
      return found === null ? [] : [`${line}: "${found[0]}" -> ${instead}`];
    }),
  );
}

interface Paragraph {
  readonly text: string;
  /** Of its first line, from 1. */
  readonly line: number;
}

/** Comments and texts, the lines of one comment joined, so that a phrase may go over a line's end. */
function proseOf(source: string): Paragraph[] {
  const code = codeOnly(source).split('\n');
  const paragraphs: { text: string; line: number; endsAt: number }[] = [];
  for (const [at, line] of source.split('\n').entries()) {
    const text = withoutCode(line, code[at] ?? '');
    if (text.trim() === '') continue;
    const last = paragraphs.at(-1);
    const isWhole = (code[at] ?? '').trim() === '';
    if (isWhole && last?.endsAt === at) {
      last.text += ` ${text}`;
      last.endsAt = at + 1;
    } else paragraphs.push({ text, line: at + 1, endsAt: isWhole ? at + 1 : -1 });
  }
  return paragraphs;
}

/** What {@link codeOnly} blanked in a line, without the marks of comments. */
function withoutCode(line: string, code: string): string {
  const isProse = (at: number): boolean => code.charAt(at).trim() === '';
  const prose = Array.from({ length: line.length }, (_, at) =>
    isProse(at) ? line.charAt(at) : ' ',
  );
  return prose
    .join('')
    .replace(/^\s*(?:\/\*\*?|\*\/?|\/\/)/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
