export { readReply } from './read';
export { writeConnectReply, writeError, writeReply } from './write';
