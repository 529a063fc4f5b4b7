import type { CertificationResult } from '../outcome/result';
import { counted, tallyOf } from './facts';

/**
 * A line of Markdown with a badge, for the README of a wallet: the outcome, the profile and the version. The
 * picture comes from shields.io, and says only what the line says.
 */
export function badgeLine({ cases, outcome, profile, version }: CertificationResult): string {
  const { excepted } = tallyOf(cases);
  const what = outcome === 'failed' ? 'not passed' : outcome;
  const but = outcome === 'passed' && excepted > 0 ? `, ${counted(excepted, 'exception')}` : '';
  const message = `${what} (${profile}, ${version})${but}`;
  const colour =
    outcome === 'passed'
      ? but === ''
        ? '2e7d4f'
        : 'a07a1c'
      : outcome === 'failed'
        ? 'a3231c'
        : '6b7280';
  const label = 'wallet certification';
  const path = [label, message, colour].map(segment).join('-');
  return `![${label}: ${message}](https://img.shields.io/badge/${path})`;
}

/** A part of the address: a hyphen and a low line are written twice. */
function segment(text: string): string {
  const doubled = text.replaceAll('-', '--').replaceAll('_', '__');
  return encodeURIComponent(doubled).replace(/[()!'*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
