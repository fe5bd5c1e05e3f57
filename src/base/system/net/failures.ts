// Turns Node's many error codes into the seven failures that a caller can act on.
import { HttpFailure, type HttpFailureCode } from '../../seams/http.ts'

const untrustedCodes =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERR_SSL_.*ALERT.*CERTIFICATE|ERR_SSL_TLSV1_ALERT_UNKNOWN_CA|ERR_SSL_.*ALERT_UNKNOWN_CA|ERR_SSL_.*ALERT_ACCESS_DENIED)/

/** A failure before the request went out. */
export function connectFailure(error: unknown, address: string): HttpFailure {
  if (error instanceof HttpFailure) return error
  const code = codeOf(error)
  if (untrustedCodes.test(code)) return failure('untrusted', `the certificate of ${address} is refused: ${textOf(error)}`, error)
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code)) {
    return failure('unreachable', `${address} does not speak TLS: is it an http:// address?`, error)
  }
  return failure('unreachable', `cannot connect to ${address}: ${textOf(error)}`, error)
}

/** A failure after at least a part of the request went out. */
export function sentFailure(error: unknown, address: string): HttpFailure {
  if (error instanceof HttpFailure) return error
  const code = codeOf(error)
  if (untrustedCodes.test(code)) return failure('untrusted', `${address} refuses our certificate: ${textOf(error)}`, error)
  if (code.startsWith('HPE_') || code === 'ERR_HTTP2_ERROR') {
    return failure('malformed', `the answer of ${address} is no HTTP: ${textOf(error)}`, error)
  }
  return failure('reset', `the connection to ${address} broke before the answer was complete: ${textOf(error)}`, error)
}

export function abortFailure(signal: AbortSignal | undefined): HttpFailure {
  return failure('aborted', 'the call was aborted', signal?.reason)
}

function failure(code: HttpFailureCode, message: string, cause: unknown): HttpFailure {
  return new HttpFailure(code, message, { cause })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function textOf(error: unknown): string {
  // Several addresses were tried and each failed: Node leaves the message of the sum empty.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(textOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
