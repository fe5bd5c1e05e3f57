// base: what has nothing to do with Kubernetes or AWS. The seams (clock, randomness, network, files, programs, log) that stand
// between our code and the world, HTTP as values, and small things that everything needs: invariants, durations, bounded
// queues. It is not a drawer for leftovers: each file serves one noun. Start with seams/seams.ts, then seams/http.ts.
// `system/` is the only place in `src`, besides `cli`, that touches the real machine.

export { batchesOf } from './batches.ts'
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
export { given } from './given.ts'
export { assertNever, Bug, invariant } from './invariant.ts'
export { readToken, type Token, type TokenClaims, type TokenReading } from './jwt/jwt.ts'
export { type Jwk, keyFor, readKeySet, signatureHolds } from './jwt/key-set.ts'
export { BoundedCache } from './limits/bounded-cache.ts'
export { BoundedQueue } from './limits/bounded-queue.ts'
export { BodyTooLarge, collectBody } from './limits/collect-body.ts'
export { DeadlineExceeded, withDeadline } from './limits/deadline.ts'
export { GatheredBytes } from './limits/gathered.ts'
export { andThen, type Maybe, settled } from './maybe.ts'
export { type Curve, curveBytes, ecPrivateKey, rsaPrime, rsaPrivateKey } from './private-keys.ts'
export type { Dns, DnsAnswer, DnsLookup } from './seams/dns.ts'
export type { AppendFile, FileInfo, Files } from './seams/files.ts'
export {
  type DialOptions,
  type HttpBody,
  type HttpClient,
  type HttpExchange,
  HttpFailure,
  type HttpFailureCode,
  type HttpHandler,
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
} from './seams/http.ts'
export { listenAnywhere } from './seams/listen-anywhere.ts'
export { type Log, type LogFields, type LogLevel, silentLog } from './seams/log.ts'
export { drain, ManualClock } from './seams/manual-clock.ts'
export { type MemoryFiles, memoryFiles } from './seams/memory-files.ts'
export type { AnswerMessage, MessageListener, MessageNet, MessageRoad } from './seams/messages.ts'
export { type Random, seededRandom, uuidFromBytes } from './seams/random.ts'
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
} from './seams/seams.ts'
export { sleepWith, untilAborted } from './seams/sleep.ts'
export { systemClock } from './system/clock.ts'
export { systemDns } from './system/dns.ts'
export { systemFiles } from './system/files.ts'
export { systemKeys } from './system/keys.ts'
export { createLog, createLogTo, type LogOptions } from './system/log.ts'
export { systemMessages } from './system/messages.ts'
export { systemNet } from './system/net.ts'
export { ProgramFailure, type ProgramFailureCode, systemPrograms } from './system/programs.ts'
export { systemRandom } from './system/random.ts'
export { systemSeams } from './system/seams.ts'
export { giveBackMemory, keepHeapSmall } from './system/small-heap.ts'
export { systemUsage } from './system/usage.ts'
export { commaList, commaPairs } from './text/comma-list.ts'
export { compareText } from './text/compare-text.ts'
export { isCrowdedText } from './text/crowded-text.ts'
export { parseDuration, parseGoDuration, renderDuration } from './text/duration.ts'
export { escapePointer, renderPointer } from './text/json-pointer.ts'
export { type JsonMember, type JsonNode, JsonTextError, parseJsonText, placeOf, type TextPlace } from './text/json-text.ts'
export { didYouMean, isNear, nearest } from './text/nearest.ts'
export { NumberText } from './text/number-text.ts'
export { printable, printableLine } from './text/printable.ts'
export { redact, redactText } from './text/redact.ts'
export { isRecord, memberAt, readJson } from './text/untyped.ts'
export { DerError } from './x509/der-read.ts'
export { parseIpAddress } from './x509/ip-address.ts'
export {
  type CertificateNames,
  type CertificateRequest,
  distinguishedName,
  issueCertificate,
  type SignatureDigest,
} from './x509/issue.ts'
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
export { type ReadSigningRequest, readSigningRequest, requestCertificate, type SigningRequest } from './x509/request.ts'
export { SeededAuthority } from './x509/seeded-authority.ts'
