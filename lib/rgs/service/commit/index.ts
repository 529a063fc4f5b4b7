export { type Committer, createCommitter, type Decided } from './committer';
