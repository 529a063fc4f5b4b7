export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type SignedRequest,
} from './request-signer';
