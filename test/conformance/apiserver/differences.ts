// The one table of differences between the embedded server and the real one that we accept, each with its reason. A replay that
// differs is forgiven only by an entry here; an entry that forgives nothing any more makes the replay fail, so the table only shrinks.
import type { Json, RecordedReply, Step } from './transcript.ts'

export interface Difference {
  readonly id: string
  readonly reason: string
  /** Takes out of a reply what may differ; called with the recorded and with the actual step, returns it unchanged where it does not apply. */
  readonly forgive: (step: Step, context: { readonly sequence: string; readonly expected: Step }) => Step
}

export const differences: readonly Difference[] = [
  {
    id: 'protobuf-errors',
    reason: 'The real server can say what went wrong in protobuf; the embedded one answers JSON always.',
    forgive: (step, { expected }) =>
      isBinary(expected) ? withReply(step, reply => ({ status: reply.status, headers: {}, body: null })) : step,
  },
  {
    id: 'empty-lists-count-as-absent',
    reason:
      'A list that is empty, and that no answer would show, is taken out before defaults and rules look at an object; the real server ' +
      'tells it from a list that is not there.',
    forgive: (step, { expected }) =>
      /"(?:rules|policies)":\[\]/.test(JSON.stringify('request' in expected ? expected.request.body : ''))
        ? withReply(step, sameStatusOnly)
        : step,
  },
  {
    id: 'template-count-is-stored',
    reason:
      'A DaemonSet counts its templates in an annotation that the real server makes anew for each answer, not for the metadata in the rows ' +
      'of a table, and who replaces the object has it; here it is stored, and stays with who had it.',
    forgive: (step, { sequence, expected }) =>
      sequence.endsWith('-daemonset') && 'request' in expected && (expected.request.method === 'PUT' || isTable(expected))
        ? withReply(step, reply => ({ ...reply, body: withoutTemplateCount(reply.body) }))
        : step,
  },
  {
    id: 'attributes-class-in-use',
    reason:
      'A VolumeAttributesClass begins with a finalizer that a controller takes away when no volume uses it; nothing here would take it ' +
      'away, so it is not put there.',
    forgive: (step, { sequence }) =>
      sequence === 'platform-volumeattributesclass' ? withReply(step, reply => ({ ...reply, body: null })) : step,
  },
  {
    id: 'names-of-admins',
    reason:
      'Who asks for a certificate is written into the request, and who asks who he is gets told; the two servers were started with admins ' +
      'of different names.',
    forgive: (step, { sequence, expected }) =>
      /^platform-(certificatesigningrequest|approval)$/.test(sequence) || targetOf(expected).endsWith('/selfsubjectreviews')
        ? withReply(step, reply => ({ ...reply, body: withoutAdmin(reply.body) }))
        : step,
  },
  {
    id: 'order-of-warnings-of-rules',
    reason:
      'The rules of a custom kind are run over the members of an object in the order of a hash map, another one each time; here it is ' +
      'the order in which they stand.',
    forgive: step => withReply(step, reply => ({ ...reply, headers: withSortedRules(reply.headers) })),
  },
  {
    id: 'build-data',
    reason: 'Commit, build date and Go version of /version are those of another program.',
    forgive: (step, { expected }) =>
      targetOf(expected) === '/version' ? withReply(step, reply => ({ ...reply, body: null })) : step,
  },
]

function withReply(step: Step, change: (reply: RecordedReply) => RecordedReply): Step {
  return 'reply' in step ? { ...step, reply: change(step.reply) } : step
}

function targetOf(step: Step): string {
  return 'request' in step ? step.request.target : ''
}

function isTable(step: Step): boolean {
  return 'reply' in step && (step.reply.body as { kind?: string } | null)?.kind === 'Table'
}

function withoutTemplateCount(body: Json): Json {
  const { kind } = (body ?? {}) as { kind?: string }
  const hidden = kind === 'Table' ? 'annotations' : 'f:annotations'
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === hidden ? undefined : value)) as Json
}

function withoutAdmin(body: Json): Json {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    if (value !== 'test-admin' && value !== 'kubernetes-admin') return value
    return key === 'uid' ? undefined : 'admin'
  }) as Json
}

/** Warnings are joined into one header here; those of rules say what is invalid. */
function withSortedRules(headers: RecordedReply['headers']): RecordedReply['headers'] {
  const { warning = '' } = headers
  const warnings = String(warning).split(/, (?=299 - ")/)
  const isOfRule = (text: string): boolean => text.includes(': Invalid value: ')
  if (warnings.length < 2 || !warnings.every(isOfRule)) return headers
  return { ...headers, warning: warnings.sort().join(', ') }
}

function isBinary(step: Step): boolean {
  return 'reply' in step && step.reply.headers['content-type'] === 'application/vnd.kubernetes.protobuf'
}

/** A refusal that the stored kind does not make is still told apart from a failure of the server. */
function sameStatusOnly(reply: RecordedReply): RecordedReply {
  return { status: reply.status >= 500 ? 500 : 0, headers: {}, body: null }
}
