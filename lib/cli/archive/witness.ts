import type { Command } from 'commander';

/** Adds `rgs-wallet archive witness`. */
export function addWitness(_group: Command): void {}
