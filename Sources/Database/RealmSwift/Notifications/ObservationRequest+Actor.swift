// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension ObservationRequest {
    /// Observes isolated to `actor`, with a target of the actor's own instance of the Realm. Returns once no later
    /// change can be missed; if the task is cancelled, the token is invalid.
    func on<A: Actor>(_ actor: A, _isolation: isolated (any Actor)? = #isolation) async -> NotificationToken {
        let pending = PendingObservation()
        let token = NotificationToken(pending)
        let sent = sent()
        await withTaskCancellationHandler {
            await ObservationRequest.begin(pending, sent, on: actor)
        } onCancel: {
            token.invalidate()
        }
        return token
    }

    private static func begin(_ pending: PendingObservation, _ sent: Sent, on actor: isolated any Actor) {
        pending.begin { sent.arrived(at: .actor(actor), unlessGone: true) }
    }
}

/// Wraps a block that is isolated to an actor. Call the result only on that actor.
func isolatedBlock<A: Actor, Change>(
    to actor: A, _ block: @Sendable @escaping (isolated A, Change) -> Void
) -> (Change) -> Void {
    { [unowned actor] change in
        let arrived = AtActor(value: change)
        actor.assumeIsolated { block($0, arrived.value) }
    }
}

/// A value used only on the actor that the code runs on already, where the compiler can't verify that.
private struct AtActor<Value>: @unchecked Sendable {
    let value: Value
}
