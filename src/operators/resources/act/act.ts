// Carries out the actions of a resource's plan. Everything was chosen before; what is left is to make the call, and to say what its failure
// means.
import type { AwsClient, AwsClients } from '#aws/client'
import { assertNever, type Random } from '#base'
import { type CheckedChange, mayHaveMade, sendChange, wasNothingToDo } from '#cloud'
import { type Act, type ActContext, type ActResult, Trouble } from '#runtime'
import type { CallAction, OutputAction, ResourceAction } from '../decide/actions.ts'
import type { OwnCalls } from '../drift/own-calls.ts'
import { troubleOf } from '../errors.ts'
import { type Joint, joined, jointCalls } from '../joined-calls.ts'
import type { DeviatingKind } from '../kinds/deviation.ts'
import type { Memory } from '../memory.ts'
import { isRecord, textOf } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import { inputOf } from '../model/kind-model.ts'
import type { Values } from '../model/request.ts'
import type { Settings } from '../options.ts'
import { clientChoice } from '../place/client-choice.ts'
import { carryOutOutput } from './write-output.ts'

export interface ActOptions extends DeviatingKind {
  readonly settings: Settings
  readonly aws: AwsClients
  readonly memory: Memory
  readonly random: Random | undefined
  /** Learns of the requests that we make. */
  readonly ownCalls: OwnCalls
  /** Told of each call, for metrics. */
  onCall?(call: { readonly operation: string; readonly verb: string; readonly error?: unknown }): void
}

/** Beside the options: the calls that wait to go together. */
interface Acting extends ActOptions {
  readonly joint: Joint
}

export function actOf(given: ActOptions): Act<ResourceAction> {
  const options: Acting = { ...given, joint: jointCalls(given.deviation.joining) }
  return async (action, context) => {
    switch (action.kind) {
      case 'act:aws':
        return callAws(options, action, context)
      case 'act:output':
        return output(options, action, context)
      case 'act:trouble':
        throw new Trouble(action.trouble)
      case 'act:note':
        if (action.notes === 'forget') options.memory.forget(action.uid)
        else options.memory.note(action.uid, action.notes)
        return { changed: false }
      default:
        return assertNever(action)
    }
  }
}

async function output(options: ActOptions, action: OutputAction, context: ActContext): Promise<ActResult> {
  const { random, deviation } = options
  const { output: how } = deviation
  if (how === undefined) return { changed: false }
  if (random === undefined)
    throw new Trouble({ kind: 'stop', reason: 'NotImplemented', message: 'this process was given no randomness for passphrases' })
  try {
    await carryOutOutput(action, context, { ...options, random, output: how })
    return { changed: true }
  } catch (error) {
    throw troubleOf(error, options, action.dependency ?? '')
  }
}

async function callAws(options: Acting, action: CallAction, context: ActContext): Promise<ActResult> {
  const { model, settings, aws, memory, joint, onCall, ownCalls } = options
  const { operation, verb, service } = action.call
  const change: CheckedChange = { ...action.call, isRemoval: verb === 'DELETE', isRepeatable: mayRepeat(model, action.call) }
  const choice = clientChoice({ model, settings, place: action.place })
  const client = aws.for(service === undefined ? choice : { ...choice, model: service })
  try {
    const { joining } = options.deviation
    const value =
      joining?.operation === operation
        ? await joined({ joining, joint, client, action, context, ownCalls })
        : await sendNoted(client, change, { context, ownCalls })
    onCall?.({ operation, verb })
    const refused = refusedPart(value)
    if (refused !== undefined) throw new Trouble({ kind: 'backoff', reason: 'InUse', message: `${operation}: ${refused}` })
    remember(memory, action, 'ifDone')
    return { changed: true, value }
  } catch (error) {
    onCall?.({ operation, verb, error })
    if (wasNothingToDo(change, error)) {
      remember(memory, action, 'ifNothingWasThere')
      return { changed: false }
    }
    if (action.intent !== undefined && action.uid !== undefined && !mayHaveMade(error))
      memory.note(action.uid, { refusedIntent: action.intent })
    throw action.destructive === true
      ? unstopped(troubleOf(error, options, action.dependency ?? ''))
      : troubleOf(error, options, action.dependency ?? '')
  }
}

function remember(memory: Memory, { uid, remembers }: CallAction, answer: 'ifDone' | 'ifNothingWasThere'): void {
  if (uid !== undefined && remembers !== undefined) memory.note(uid, remembers[answer])
}

/** Its number is remembered: what AWS tells of it later is no news. */
async function sendNoted(
  client: AwsClient,
  change: CheckedChange,
  { context, ownCalls }: { readonly context: ActContext; readonly ownCalls: OwnCalls },
): Promise<Values> {
  const { output, requestId } = await sendChange(client, change, context)
  ownCalls.note(requestId)
  return output
}

/** Batches succeed as a whole and list what they refused: without a look at it, the same batch would be sent for ever. */
function refusedPart({ Errors }: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = Array.isArray(Errors) ? (Errors as readonly unknown[]).filter(isRecord) : []
  return first === undefined ? undefined : [first['Code'], first['Key'], first['Message']].filter(Boolean).map(textOf).join(', ')
}

/** A deletion is tried until it succeeds: nobody can change the manifest of what is going. */
function unstopped(found: unknown): unknown {
  if (!(found instanceof Trouble) || found.kind !== 'stop') return found
  return new Trouble({ kind: 'backoff', reason: found.reason, message: found.message, cause: found.cause })
}

/** A create call whose end nobody knows is looked up before it is repeated, unless its token makes a repetition harmless. */
function mayRepeat(model: KindModel, { verb, operation }: CallAction['call']): boolean {
  return verb !== 'CREATE' || hasToken(model, operation)
}

function hasToken({ service }: KindModel, operation: string): boolean {
  return Object.values(inputOf(service.model, operation).members).some(({ idempotencyToken }) => idempotencyToken === true)
}
