import type { Command } from 'commander';
import { addAttention } from './attention';
import { addRepair } from './repair';
import { addRepairs } from './repairs';
import { addShow } from './timeline';

/** Adds `rgs-wallet rounds`. */
export function addRounds(program: Command): void {
  const rounds = program
    .command('rounds')
    .summary('look at rounds that need a person, and repair them')
    .description(
      'Lists the rounds that need a person, shows what happened in one, and repairs it.',
    );
  addAttention(rounds);
  addShow(rounds);
  addRepair(rounds);
  addRepairs(rounds);
}
