// Run-time traps for the seams rule: in tests, code under src/ that reaches for ambient time, timers, randomness, network, files or
// environment throws on the spot. Lint forbids the same by name (scripts/lint-ambient.ts); the traps catch what names cannot show.
// Libraries and test code are left alone: only the direct caller is looked at.
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ambientModules, isExempt } from './ambient.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const rootUrl = `${pathToFileURL(root).href}/`

registerHooks({
  resolve(specifier, context, next) {
    if (ambientModules.has(specifier.replace(/^node:/, '')) && context.parentURL?.startsWith(rootUrl)) {
      const file = context.parentURL.slice(rootUrl.length)
      if (isTrapped(file)) throw new Error(`${file} imports ${specifier}: it must come through a seam (src/base/seams/seams.ts)`)
    }
    return next(specifier, context)
  },
})

trapFunction(globalThis, 'setTimeout')
trapFunction(globalThis, 'setInterval')
trapFunction(globalThis, 'fetch')
trapFunction(Math, 'random')
trapFunction(Date, 'now')
trapFunction(performance, 'now')
trapClock()
trapEnvironment()

function isTrapped(file: string): boolean {
  return file.startsWith('src/') && !/\.(test|fixture)\.ts$/.test(file) && !isExempt(file)
}

/** Throws when the function that called the trapped one is ours and not exempt. */
function check(what: string, trapped: (...args: never[]) => unknown): void {
  const holder: { stack?: string } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  Error.captureStackTrace(holder, trapped)
  Error.stackTraceLimit = limit
  const at = holder.stack?.indexOf(rootUrl) ?? -1
  if (at < 0) return
  const file = /^[^:)]+/.exec((holder.stack ?? '').slice(at + rootUrl.length))?.[0] ?? ''
  if (isTrapped(file)) throw new Error(`${file} uses ${what}: it must come through a seam (src/base/seams/seams.ts)`)
}

function trapFunction<Owner extends object>(owner: Owner, name: keyof Owner & string): void {
  const original = owner[name] as unknown as (...args: unknown[]) => unknown
  const trap = function (this: unknown, ...args: unknown[]): unknown {
    check(name, trap)
    return original.apply(this, args)
  }
  Object.assign(trap, original)
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(trap, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {})
  }
  Object.defineProperty(owner, name, { value: trap, writable: true, configurable: true })
}

/** `new Date()` without arguments reads the clock; with arguments it is arithmetic. */
function trapClock(): void {
  const handler: ProxyHandler<DateConstructor> = {
    construct: function construct(target, args, newTarget) {
      if (args.length === 0) check('new Date()', construct as never)
      return Reflect.construct(target, args, newTarget) as object
    },
    apply: function apply(target, self, args: never[]) {
      check('Date()', apply as never)
      return Reflect.apply(target, self, args)
    },
  }
  globalThis.Date = new Proxy(globalThis.Date, handler)
}

function trapEnvironment(): void {
  const original = process.env
  const handler: ProxyHandler<NodeJS.ProcessEnv> = {
    get(target, name, receiver) {
      if (typeof name === 'string') check(`process.env.${name}`, handler.get as never)
      return Reflect.get(target, name, receiver) as string | undefined
    },
  }
  process.env = new Proxy(original, handler)
}
