// Operations by their names, one after the other, against an emulator of its own: what each is answered, with dates and drawn ids as placeholders.
import { given, ManualClock } from '#base'
import { type Aws, type AwsOptions, createAws, sdkRequestHandler } from '#emulator'
import { performer, type VectorService } from './vectors/perform.ts'

/** The output, or what was refused: code, status and message. What is saved under a name is given to later calls as `{ $ref: 'name.Member' }`. */
export type Ask = (operation: string, input?: object, save?: string) => Promise<unknown>

export type Asked = Readonly<Record<VectorService, Ask>> & { readonly aws: Aws; readonly clock: ManualClock }

export function asked(options: AwsOptions = {}): Asked {
  const clock = new ManualClock(Date.now())
  const aws = createAws({ seed: 'asked', clock, signatures: 'parse', ...options })
  const { perform } = performer({ requestHandler: sdkRequestHandler(aws.handle) })
  const on =
    (service: VectorService): Ask =>
    async (operation, input = {}, save) => {
      const { status, error, message, output } = await perform({ service, operation, input, ...given({ save }) })
      return error === undefined ? output : [error, status, message]
    }
  return { aws, clock, acm: on('acm'), eks: on('eks'), iam: on('iam'), route53: on('route53'), s3: on('s3'), sts: on('sts') }
}

/** What stands at a path of an answer: `at(answer, 'Users', 0, 'UserName')`. */
export function at(answer: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | undefined)?.[part], answer)
}

/** One member of every entry of a list of an answer. */
export function each(answer: unknown, list: string, member: string): readonly unknown[] {
  return ((at(answer, list) ?? []) as readonly unknown[]).map(entry => at(entry, member))
}

/** All pages of a list, one after the other, as what `entries` finds on each. */
export async function pages(
  ask: (more: object) => Promise<unknown>,
  entries: (page: unknown) => readonly unknown[],
): Promise<unknown> {
  const found: (readonly unknown[])[] = []
  for (let more: object | undefined = {}; more !== undefined; ) {
    const page = await ask(more)
    found.push(entries(page))
    const marker = at(page, 'Marker')
    more = at(page, 'IsTruncated') === true && marker !== undefined ? { Marker: marker } : undefined
  }
  return found
}
