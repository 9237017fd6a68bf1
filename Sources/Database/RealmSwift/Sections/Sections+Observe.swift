// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime

extension RealmSectionedResult {
    /// Calls `block` with the current sections, and again after each change, until the token is invalidated or
    /// deallocated.
    ///
    /// Changes are reported, and `block` is called, as for `RealmCollection.observe(keyPaths:on:_:)`. The block that
    /// computes keys is called in the same context, first for every element and then for changed elements. With
    /// `keyPaths`, a change of other properties is reported only if it moves the element to another section.
    ///
    /// The observer of a single section receives the changes of that section. It is also notified when the section is
    /// removed, and when it exists again.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observed.startObserving(keyPaths, on: queue, block)
    }

    /// Observes the sections like `observe(keyPaths:on:_:)`, but calls `block` isolated to an actor. Every change after
    /// this function returns is reported.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observed.startObserving(keyPaths, on: actor, isolatedBlock(to: actor, block))
    }

    private var observed: any SectionsObserved {
        guard let sections = self as? any SectionsObserved else {
            throwRealmException("Change notifications are only supported on managed collections.")
        }
        return sections
    }
}

extension RealmSectionedResult where Element: RealmSectionedResult, Element.Element: ObjectBase {
    /// Observes the sections like `observe(keyPaths:on:_:)`, but with type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element.Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: queue, block)
    }

    /// Observes the sections like `observe(keyPaths:on:_:)`, but with type-safe key paths, and calls `block` isolated
    /// to an actor. Every change after this function returns is reported.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element.Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: actor, block)
    }
}

extension RealmSectionedResult where Element: ObjectBase {
    /// Observes the sections like `observe(keyPaths:on:_:)`, but with type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: queue, block)
    }

    /// Observes the sections like `observe(keyPaths:on:_:)`, but with type-safe key paths, and calls `block` isolated
    /// to an actor. Every change after this function returns is reported.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: actor, block)
    }
}

protocol SectionsObserved: Transferable {
    associatedtype Key: _Persistable & Hashable
    associatedtype SectionElement: RealmCollectionValue

    var core: SectionsCore<Key, SectionElement> { get }

    func part(of change: SectionChange, _ old: SectionLayout<Key>, _ new: SectionLayout<Key>) -> SectionChange
}

extension SectionsObserved {
    func startObserving<Collection>(
        _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (SectionedResultsChange<Collection>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    func startObserving<Collection, A: Actor>(
        _ keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping (SectionedResultsChange<Collection>) -> Void
    ) async -> NotificationToken {
        await observing(keyPaths, block).on(actor)
    }

    /// `Collection` is `Self`, which the compiler can't infer here.
    private func observing<Collection>(
        _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<Collection>) -> Void
    ) -> ObservationRequest<Self> {
        core.results.realm.delivery.verifyCanObserve()
        let shown = (SectionElement.self as? any ProjectionClass.Type)?.origins
        let filter = core.results.filter(keyPaths ?? shown)
        let memory = SectionMemory<Key>()
        return ObservationRequest(
            target: self, detector: { QueryDetector($0.core.results.observed, filter: filter, findsUnreported: true) }
        ) { target, delivery in
            if let contents = delivery.contents { target.core.results.adopt(contents) }
            guard let collection = target as? Collection else { return }
            let change = memory.change(of: target, delivery)
            if delivery.since == nil { return block(.initial(collection)) }
            if let change { block(SectionedResultsChange(collection, change)) }
        }
    }
}

/// The sections at the last notification of an observer. Confined like the observer.
private final class SectionMemory<Key: _Persistable & Hashable> {
    private var notified: (version: UInt64, layout: SectionLayout<Key>)?

    func change<Target: SectionsObserved>(of target: Target, _ delivery: Observer.Delivery) -> SectionChange?
    where Target.Key == Key {
        guard let since = delivery.since, case .elements(var change, let unreported) = delivery.change else {
            notified = (delivery.version.number, target.core.layout)
            return nil
        }
        let (old, new) = layouts(of: target.core, change, since, delivery)
        notified = (delivery.version.number, new)
        change.modifications.removeAll { unreported.contains($0) }
        let part = target.part(of: SectionChange(change, from: old, to: new), old, new)
        return part.isEmpty ? nil : part
    }

    private func layouts<Element>(
        of core: SectionsCore<Key, Element>, _ change: PositionChange, _ since: ObservedVersion,
        _ delivery: Observer.Delivery
    ) -> (old: SectionLayout<Key>, new: SectionLayout<Key>) {
        // Versions of writes that skip this observer aren't stored. Without such a write, the sections are unchanged
        // since the last notification.
        if let notified, !delivery.followsSkipped {
            return (notified.layout, core.layout(changing: notified.layout, by: change))
        }
        let known = notified.flatMap { $0.version == since.number ? $0.layout : nil }
        return (known ?? core.transferred(to: core.results.realm.showing(since)).layout, core.layout)
    }
}

extension SectionedResults: SectionsObserved {
    func part(of change: SectionChange, _ old: SectionLayout<Key>, _ new: SectionLayout<Key>) -> SectionChange {
        change
    }
}

extension ResultsSection: SectionsObserved {
    typealias SectionElement = T

    func part(of change: SectionChange, _ old: SectionLayout<Key>, _ new: SectionLayout<Key>) -> SectionChange {
        change.limited(to: old.number(of: key), new.number(of: key))
    }
}
