// gbrain in opencode: after a turn it hands what the person said to the capture hook, and before one it adds what the
// recall hook offers. Whatever goes wrong stays here: opencode never sees an error, and never waits for long.
import { spawnSync } from "node:child_process"

const GBRAIN = null // `python`, `capture`, `recall`, `flags`: filled in when this file is installed

const LONGEST = 65536
const TURNS = 6
const PATIENCE = 300

function run(script, lane, payload, timeout) {
  if (!GBRAIN || !script) return ""
  try {
    const done = spawnSync(GBRAIN.python, ["-I", "-S", script, lane, "opencode", ...GBRAIN.flags], {
      input: JSON.stringify(payload),
      encoding: "utf8",
      timeout,
      killSignal: "SIGKILL",
      stdio: ["pipe", "pipe", "ignore"],
    })
    return done.status === 0 ? done.stdout.trim() : ""
  } catch {
    return ""
  }
}

function text(part) {
  return { type: part.type, text: String(part.text ?? "").slice(0, LONGEST), synthetic: part.synthetic === true }
}

function own(parts) {
  return parts.filter((part) => part.type === "text" && !part.synthetic)
}

export const GbrainPlugin = async ({ client, directory }) => {
  const said = new Map() // the newest message of the person in each session
  const agents = new Set() // sessions in which an agent speaks to an agent
  const known = new Map() // what each session was last told: "start", or "after-compact" when that is due

  function capture(lane, session) {
    const output = said.get(session)
    if (output) run(GBRAIN?.capture, lane, { input: { sessionID: session }, cwd: directory, output }, 3000)
  }

  function recall(lane, session, more) {
    return run(GBRAIN?.recall, lane, { session_id: session, cwd: directory, ...more }, lane === "prompt" ? 1000 : 2000)
  }

  function forget(session) {
    for (const held of [said, agents, known]) held.delete(session)
  }

  async function before(session) {
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE))
    try {
      const asked = { path: { id: session }, query: { limit: 2 * TURNS } }
      const messages = (await Promise.race([client.session.messages(asked), late]))?.data ?? []
      return messages
        .map(({ info, parts }) => ({ role: info.role, text: own(parts).map((part) => text(part).text).join("\n") }))
        .filter((turn) => turn.text)
        .slice(-TURNS)
    } catch {
      return []
    }
  }

  async function offered(session, prompt) {
    const due = known.get(session)
    known.set(session, "told")
    const first = due === "told" ? "" : recall(due ?? "start", session, { source: due ? "compact" : "startup" })
    const then = recall("prompt", session, { prompt, turns: await before(session) })
    return [first, then].filter(Boolean).join("\n\n")
  }

  return {
    event: async ({ event }) => {
      try {
        const info = event.properties?.info
        const session = event.properties?.sessionID ?? info?.id
        if (info?.parentID && event.type.startsWith("session.")) agents.add(info.id)
        if (event.type === "session.idle") capture("stop", session)
        if (event.type === "session.compacted") known.set(session, "after-compact")
        if (event.type === "session.deleted") {
          capture("session-end", session)
          forget(session)
        }
      } catch {}
    },
    "chat.message": async (input, output) => {
      try {
        const { message, parts } = output
        if (message?.role !== "user" || agents.has(input.sessionID)) return
        const spoken = own(parts)
        if (!spoken.length) return
        said.set(input.sessionID, { message: { role: "user" }, parts: spoken.map(text) })
        const offer = await offered(input.sessionID, spoken.map((part) => part.text).join("\n"))
        const last = parts.at(-1)
        // A part of its own, marked as not the person's: it stays in the session and is never captured.
        if (offer) parts.push({ ...last, type: "text", id: `${last.id}0`, text: offer, synthetic: true })
      } catch {}
    },
    "experimental.session.compacting": async (input) => {
      try {
        capture("compact", input.sessionID)
        recall("before-compact", input.sessionID, { turns: await before(input.sessionID) })
      } catch {}
    },
  }
}
