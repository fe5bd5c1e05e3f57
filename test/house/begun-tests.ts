// Preloaded, the hooks go for every test of the process. Apart from owners.ts, since the runner loads a reporter before it takes hooks.
import { afterEach, beforeEach, type SuiteContext, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { noteOwner } from './owners.ts'

const running = new Set<string>()

// A thread is started with the flags of its process; it runs no tests, and tells who started it of its errors.
if (isMainThread) {
  beforeEach(context => {
    const { name, fullName, filePath } = context as TestContext | SuiteContext
    running.add(fullName)
    if (filePath !== undefined) noteOwner(name, filePath)
  })
  afterEach(context => {
    running.delete((context as TestContext | SuiteContext).fullName)
  })
  process.on('uncaughtExceptionMonitor', endAt)
  process.on('unhandledRejection', endAt)
}

/**
 * Ends the process, as Node does where nobody listens: the runner does not know at which test the error belongs, and a test that waits for
 * what threw would wait for ever.
 */
function endAt(error: unknown): void {
  console.error(`\nNobody caught this, while there ran: ${[...running].join('; ') || 'no test'}\n${inspect(error)}\n`)
  process.exit(1)
}
