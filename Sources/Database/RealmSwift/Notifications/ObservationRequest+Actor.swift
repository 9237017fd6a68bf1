// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ObservationRequest {
    /// The observer is called isolated to `actor`, with a target of the actor's own instance of the Realm. Returns when
    /// it is certain that no change from now on is missed; of a task that is cancelled, with an invalid token.
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

/// A block that is isolated to an actor, as one that is called where the actor is known to be.
func isolatedBlock<A: Actor, Change>(
    to actor: A, _ block: @Sendable @escaping (isolated A, Change) -> Void
) -> (Change) -> Void {
    { [unowned actor] change in
        let arrived = AtActor(value: change)
        actor.assumeIsolated { block($0, arrived.value) }
    }
}

/// What is used only within the actor that it is at already, where the compiler does not see that.
private struct AtActor<Value>: @unchecked Sendable {
    let value: Value
}
