// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime

/// A request to start an observation: in the current confinement, on a queue, or in an actor.
///
/// `detector` creates the change detector from the target in the instance where the observer is called; `block` also
/// receives that target.
struct ObservationRequest<Target: Transferable> {
    let target: Target
    let detector: (Target) -> any ChangeDetector
    let block: (Target, Observer.Delivery) -> Void
    /// Called with the I/O error or damage that ends the observation.
    var failed: (Realm.Error) -> Void = { _ in }

    /// Observes in the target's own confinement, while `gate` returns true.
    func here(while gate: (@Sendable () -> Bool)? = nil) -> NotificationToken {
        guard let instance = target.managingInstance else { return NotificationToken(PendingObservation()) }
        instance.delivery.verifyCanDeliver()
        instance.delivery.verifyNotChanging()
        let version = instance.reading(nil) { try instance.delivery.observedVersion() }
        return NotificationToken(observer(in: instance, since: version, while: gate))
    }

    /// Observes on `queue`, with a target of the queue's own instance of the Realm.
    func on(_ queue: DispatchQueue?) -> NotificationToken {
        guard let queue else { return here() }
        let pending = PendingObservation()
        let sent = sent()
        queue.async { [weak pending] in pending?.begin { sent.arrived(at: .queue(.of(queue), queue)) } }
        return NotificationToken(pending)
    }

    /// Returns the request in a form that can be sent to another confinement, with the target's frozen
    /// version.
    func sent() -> Sent {
        let instance = target.managingInstance
        instance?.delivery.verifyCanObserve()
        instance?.delivery.verifyNotChanging()
        guard let frozen = instance?.frozen() else { return Sent(observing: self) }
        return Sent(
            observing: ObservationRequest(
                target: target.transferred(to: frozen), detector: detector, block: block, failed: failed))
    }

    /// An observation request in transit between confinements.
    ///
    /// `@unchecked` because the target is frozen, and the closures' captures are used only at the destination.
    struct Sent: @unchecked Sendable {
        fileprivate let observing: ObservationRequest

        /// Starts the observation at `place`, the caller's confinement; nil if the Realm can't be opened there.
        func arrived(at place: Confinement, unlessGone: Bool = false) -> Observer? {
            guard let origin = observing.target.managingInstance else { return nil }
            do {
                let instance = try RealmRegistry.instance(origin.configuration, at: place)
                instance.catchUp(with: origin)
                let target = observing.target.transferred(to: instance)
                if unlessGone, target.isInvalidated { return nil }
                let version = try origin.snapshot.map {
                    ObservedVersion(try $0.again(label: ObservedVersion.label), like: origin.reader)
                }
                let arrived = ObservationRequest(
                    target: target, detector: observing.detector, block: observing.block, failed: observing.failed)
                return arrived.observer(in: instance, since: version)
            } catch {
                origin.coordinator.logger.log(.error, "An observation could not begin: \(error)")
                return nil
            }
        }
    }

    private func observer(
        in instance: RealmInstance, since version: ObservedVersion?, while gate: (@Sendable () -> Bool)? = nil
    ) -> Observer {
        let (target, block, failed) = (target, block, failed)
        let observer = Observer(
            detector(target), in: instance, since: version, while: gate, failed: { failed(Realm.Error($0)) },
            { block(target, $0) })
        instance.delivery.add(observer)
        return observer
    }
}
