// base: what has nothing to do with Kubernetes or AWS. The seams (clock, randomness, network, files, programs, log) that stand
// between our code and the world, HTTP as values, and small things that everything needs: invariants, durations, bounded
// queues. It is not a drawer for leftovers: each file serves one noun. Start with seams.ts, then http.ts.
// `system/` is the only place in `src`, besides `cli`, that touches the real machine.
export { BoundedCache } from './bounded-cache.ts'
export { BoundedQueue } from './bounded-queue.ts'
export { BodyTooLarge, collectBody } from './collect-body.ts'
export { commaList, commaPairs } from './comma-list.ts'
export { isCrowdedText } from './crowded-text.ts'
export { DeadlineExceeded, withDeadline } from './deadline.ts'
export { parseDuration, parseGoDuration, renderDuration } from './duration.ts'
export type { AppendFile, FileInfo, Files } from './files.ts'
export {
  type Flag,
  FlagError,
  type FlagExample,
  type FlagGroup,
  type FlagValues,
  flagOf,
  type GroupedHelp,
  parseFlags,
  renderGroupedHelp,
  renderHelp,
  unknownFlag,
} from './flag-set.ts'
export {
  type DialOptions,
  type HttpBody,
  type HttpClient,
  type HttpExchange,
  HttpFailure,
  type HttpFailureCode,
  type HttpHeaders,
  type HttpLimits,
  type HttpListener,
  type HttpPeer,
  type HttpRequest,
  type HttpResponse,
  type ListenOptions,
  type Net,
  type TlsClientOptions,
  type TlsServerOptions,
  type TlsVersion,
} from './http.ts'
export { assertNever, Bug, invariant } from './invariant.ts'
export { type JsonMember, type JsonNode, JsonTextError, parseJsonText, placeOf, type TextPlace } from './json-text.ts'
export { readToken, type Token, type TokenClaims, type TokenReading } from './jwt/jwt.ts'
export { type Jwk, keyFor, readKeySet, signatureHolds } from './jwt/key-set.ts'
export { listenAnywhere } from './listen-anywhere.ts'
export { type Log, type LogFields, type LogLevel, silentLog } from './log.ts'
export { drain, ManualClock } from './manual-clock.ts'
export { type MemoryFiles, memoryFiles } from './memory-files.ts'
export type { AnswerMessage, MessageListener, MessageNet, MessageRoad } from './messages.ts'
export { didYouMean, isNear, nearest } from './nearest.ts'
export { printable, printableLine } from './printable.ts'
export { type Curve, curveBytes, ecPrivateKey, rsaPrime, rsaPrivateKey } from './private-keys.ts'
export { type Random, seededRandom, uuidFromBytes } from './random.ts'
export { redact, redactText } from './redact.ts'
export type {
  Clock,
  Environment,
  Instant,
  Keys,
  ProcessUsage,
  ProgramCall,
  ProgramResult,
  Programs,
  Seams,
  Timer,
} from './seams.ts'
export { sleepWith, untilAborted } from './sleep.ts'
export { systemClock } from './system/clock.ts'
export { systemFiles } from './system/files.ts'
export { systemKeys } from './system/keys.ts'
export { createLog, createLogTo, type LogOptions } from './system/log.ts'
export { systemMessages } from './system/messages.ts'
export { systemNet } from './system/net.ts'
export { ProgramFailure, type ProgramFailureCode, systemPrograms } from './system/programs.ts'
export { systemRandom } from './system/random.ts'
export { systemSeams } from './system/seams.ts'
export { keepHeapSmall } from './system/small-heap.ts'
export { systemUsage } from './system/usage.ts'
export { isRecord, memberAt, readJson } from './untyped.ts'
export { DerError } from './x509/der-read.ts'
export { parseIpAddress } from './x509/ip-address.ts'
export { type CertificateNames, type CertificateRequest, issueCertificate } from './x509/issue.ts'
export {
  authoritiesIn,
  backdatedMs,
  type CertificatePair,
  certificatesIn,
  type DrawnKey,
  earlierMax,
  earlierOf,
  expiryOf,
  isIssuedBy,
  isSameCertificate,
  issueAuthority,
  issueServing,
  keyTrouble,
  lifeTrouble,
  onlyBlock,
  onlyCertificate,
  readCertificate,
  servingTrouble,
} from './x509/pair.ts'
export { type Certificate, type CertificateSubject, parseCertificate } from './x509/parse.ts'
export { type PemBlock, parsePem, renderPem } from './x509/pem.ts'
export { requestCertificate, type SigningRequest } from './x509/request.ts'
export { SeededAuthority } from './x509/seeded-authority.ts'
