import { textOf } from '../tidy/source';

/** One instruction of a Dockerfile, with the lines that it goes on over. */
export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The stages of docker/Dockerfile, each from its FROM on. */
export function stagesOf(path = 'docker/Dockerfile'): readonly (readonly Instruction[])[] {
  const text = textOf(path)
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  const stages: Instruction[][] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

/** The values of one kind of instruction. */
export function valuesOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((one) => one.name === name).map(({ value }) => value);
}

/** A command in the form that starts no shell. */
export function commandOf(text: string): string[] {
  return JSON.parse(text) as string[];
}

/** The command of the last stage's HEALTHCHECK. */
export function healthCommand(): string[] {
  const [check = ''] = valuesOf(stagesOf().at(-1) ?? [], 'HEALTHCHECK');
  return commandOf(check.slice(check.indexOf('CMD ') + 'CMD '.length));
}
