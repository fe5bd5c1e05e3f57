// A client of AWS that answers by a script, one answer for each operation, and remembers what it was asked.
import { AwsError } from '#aws'
import type { AwsClient } from '#aws/client'
import type { Values } from './action.ts'

/** What an operation answers; a list gives its pages. */
export type Script = Readonly<Record<string, object | Error | ((input: Values) => object | Error)>>

export interface ScriptedClient extends AwsClient {
  readonly asked: { readonly operation: string; readonly input: Values }[]
}

export const refusal = (code: string, operation = '', httpStatus: number = code.startsWith('NoSuch') ? 404 : 400): AwsError =>
  new AwsError({ service: 'test', operation, code, message: `it says ${code}`, httpStatus })

export function scriptedClient(script: Script, service = 'IAM'): ScriptedClient {
  const asked: ScriptedClient['asked'] = []
  const answer = async (operation: string, input: Values = {}): Promise<Values> => {
    asked.push({ operation, input })
    const held = script[operation] ?? new Error(`${operation} was not expected`)
    const said = typeof held === 'function' ? held(input) : held
    if (said instanceof AwsError && said.operation === '') throw refusal(said.code, operation, said.httpStatus)
    if (said instanceof Error) throw said
    return said as Values
  }
  return {
    asked,
    model: { id: service } as AwsClient['model'],
    region: 'us-east-1',
    call: answer,
    send: async (operation, input, options) => {
      options?.beforeTry?.()
      return {
        output: await answer(operation, input),
        httpStatus: 200,
        requestId: undefined,
        tries: 1,
        ambiguous: false,
      } as never
    },
    pages: async function* pages(operation, input) {
      const pages = await answer(operation, input)
      yield* (Array.isArray(pages) ? pages : [pages]) as Values[]
    },
    presign: () => Promise.reject(new Error('nothing is presigned')),
  }
}

export interface ScriptedClients {
  readonly clients: {
    for(service: { readonly model: { readonly id: string }; readonly region: string }): Pick<AwsClient, 'call' | 'send' | 'pages'>
  }
  /** Service, region and operation of each call. */
  readonly asked: string[]
}

/** Those of an account that answers by the script of the moment. */
export function scriptedClients(script: () => Script): ScriptedClients {
  const asked: string[] = []
  const clients: ScriptedClients['clients'] = {
    for: ({ model, region }) => {
      const client = scriptedClient(script(), model.id)
      const noted = (operation: string): void => void asked.push(`${model.id} ${region} ${operation}`)
      return {
        ...client,
        call: (operation, input) => (noted(operation), client.call(operation, input)),
        send: (operation, input, more) => (noted(operation), client.send(operation, input, more)),
        pages: (operation, input) => (noted(operation), client.pages(operation, input)),
      }
    },
  }
  return { asked, clients }
}
