export type { NoteKey, NoteSigner } from './tlog';
export type { Compression, KeyEvent, SegmentRecord } from './format';
