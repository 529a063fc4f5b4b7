export {
  curlOf,
  type Exchange,
  type Header,
  type WalletReply,
  type WalletRequest,
} from './exchange';
export { Gate } from './gate';
export { createSender, type Sender } from './send';
export { noteSigner, type Credentials, type Signer, type SigningOptions } from './sign';
