export { escapeControls } from './control-characters';
export { isCurrency, isIdentifier, isSignable } from './identifier';
