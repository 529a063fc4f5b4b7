import type { Command } from 'commander';

/** Adds `rgs-wallet archive import`. */
export function addImport(_group: Command): void {}
