export { playScript } from './play';
export { readScript, type Script, scriptHelp } from './read';
