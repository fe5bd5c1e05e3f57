// The webhook, served: what it rests on is one snapshot, and what it cannot judge is refused or let through as it was chosen.
import type { Counter } from '#runtime'
import { type AdmissionAnswer, type AdmissionRequest, admissionHandler, type WebhookHandler } from '#runtime'
import { type Cert, group } from '../api.ts'
import { admitCert, isFreeToPass, type ReviewedCert } from './admit.ts'
import { parseCert } from './parse-cert.ts'
import type { AdmissionRules, AdmissionSeen } from './seen.ts'

export const admissionPath = '/validate-acm-ops-example-dev-v1-cert'

export interface AdmissionOptions {
  readonly rules: AdmissionRules
  /** What cannot be judged is refused. */
  readonly failsClosed: boolean
  /** Throws while it knows too little. */
  look(cert: Cert, signal: AbortSignal): Promise<AdmissionSeen> | AdmissionSeen
  readonly requests?: Counter | undefined
  readonly letThrough?: Counter | undefined
}

/** By path. */
export function certWebhooks(options: AdmissionOptions): Readonly<Record<string, WebhookHandler>> {
  return { [admissionPath]: admissionHandler((request, signal) => counted(request, signal, options)) }
}

async function counted(request: AdmissionRequest, signal: AbortSignal, options: AdmissionOptions): Promise<AdmissionAnswer> {
  try {
    const answer = await judgeRequest(request, signal, options)
    options.requests?.add({ result: answer.kind === 'allow' ? 'allowed' : 'denied' })
    return answer
  } catch (error) {
    options.requests?.add({ result: 'error' })
    return withoutJudgement(error, options)
  }
}

/** The status subresource and other kinds are none of its business. */
async function judgeRequest(request: AdmissionRequest, signal: AbortSignal, options: AdmissionOptions): Promise<AdmissionAnswer> {
  const isOurs = request.resource.group === group && request.resource.resource === 'certs' && (request.subResource ?? '') === ''
  if (!isOurs || (request.operation !== 'CREATE' && request.operation !== 'UPDATE')) return { kind: 'allow' }
  const cert = parseCert(request.object, request)
  if (cert === undefined) return { kind: 'deny', code: 422, reason: 'Invalid', message: 'spec: this is no Cert' }
  const asked: ReviewedCert = { cert, before: parseCert(request.oldObject, request) }
  if (isFreeToPass(asked)) return { kind: 'allow' }
  return admitCert(asked, await options.look(cert, signal), options.rules)
}

function withoutJudgement(error: unknown, { failsClosed, letThrough }: AdmissionOptions): AdmissionAnswer {
  const cause = error instanceof Error ? error.message : 'it failed'
  if (failsClosed)
    return {
      kind: 'deny',
      code: 500,
      reason: 'InternalError',
      message: `internal validation error, request rejected (fail-closed): ${cause}`,
    }
  letThrough?.add()
  return { kind: 'allow', warnings: [`validation could not be completed and was skipped (fail-open): ${cause}`] }
}
