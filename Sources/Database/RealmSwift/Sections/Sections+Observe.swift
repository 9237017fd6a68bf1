// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

extension RealmSectionedResult {
    /// Calls `block` with the sections as they are, and again whenever they have changed, until the token is let go.
    ///
    /// What counts as a change, and where `block` is called, is as with `RealmCollection.observe(keyPaths:on:_:)`. The
    /// block that makes keys is called at the same place, for every element at first and then for those that have
    /// changed; with `keyPaths`, for every element each time. Of one section, what happens to it: it is
    /// notified when the section goes, and when there is one with its key again.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observed.startObserving(keyPaths, on: queue, block)
    }

    /// Calls `block` isolated to an actor with the sections as they are and again whenever they have changed, otherwise
    /// like `observe(keyPaths:on:_:)`. When this returns, no later change is missed.
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
    /// Calls `block` whenever the sections have changed, like the `observe(keyPaths:on:_:)` that takes names, but with
    /// type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element.Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: queue, block)
    }

    /// Calls `block` isolated to an actor whenever the sections have changed, with type-safe key paths instead of
    /// names. When this returns, no later change is missed.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element.Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: actor, block)
    }
}

extension RealmSectionedResult where Element: ObjectBase {
    /// Calls `block` whenever the sections have changed, like the `observe(keyPaths:on:_:)` that takes names, but with
    /// type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: queue, block)
    }

    /// Calls `block` isolated to an actor whenever the sections have changed, with type-safe key paths instead of
    /// names. When this returns, no later change is missed.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { PropertyProbe.name(of: $0) }, on: actor, block)
    }
}

/// All sections or one of them, as something that can be observed.
protocol SectionsObserved: Transferable {
    associatedtype Key: _Persistable & Hashable
    associatedtype SectionElement: RealmCollectionValue

    var core: SectionsCore<Key, SectionElement> { get }

    /// What concerns these sections of a change from one layout to another.
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

    /// `Collection` is the type itself, which the compiler does not know here.
    private func observing<Collection>(
        _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<Collection>) -> Void
    ) -> ObservationRequest<Self> {
        core.results.realm.delivery.verifyCanObserve()
        let shown = (SectionElement.self as? any ProjectionClass.Type)?.origins
        let filter = core.results.filter(keyPaths ?? shown)
        let memory = SectionMemory<Key>(isPartial: filter != nil || core.results.elementClass == nil)
        return ObservationRequest(target: self, finder: { QueryFinder(core: $0.core.results, filter: filter) }) {
            target, delivery in
            if let contents = delivery.contents { target.core.results.adopt(contents) }
            guard let collection = target as? Collection else { return }
            let change = memory.change(of: target, delivery)
            if delivery.since == nil { return block(.initial(collection)) }
            if let change { block(SectionedResultsChange(collection, change)) }
        }
    }
}

/// The sections that an observer was notified of last; used at its place only.
private final class SectionMemory<Key: _Persistable & Hashable> {
    private var notified: (version: UInt64, layout: SectionLayout<Key>)?
    /// Whether elements that count as unchanged may have got other keys: where the observer is notified of some
    /// properties only, and for objects in mixed values.
    private let isPartial: Bool

    init(isPartial: Bool) { self.isPartial = isPartial }

    /// What has happened to the sections; nil if nothing has that concerns `target`.
    func change<Target: SectionsObserved>(of target: Target, _ delivery: Observer.Delivery) -> SectionChange?
    where Target.Key == Key {
        guard let since = delivery.since, case .positions(let change) = delivery.change else {
            notified = (delivery.version.number, target.core.layout)
            return nil
        }
        let (old, new) = layouts(of: target.core, change, since, delivery)
        notified = (delivery.version.number, new)
        let part = target.part(of: SectionChange(change, from: old, to: new), old, new)
        return part.isEmpty ? nil : part
    }

    private func layouts<Element>(
        of core: SectionsCore<Key, Element>, _ change: PositionChange, _ since: ObservedVersion,
        _ delivery: Observer.Delivery
    ) -> (old: SectionLayout<Key>, new: SectionLayout<Key>) {
        // Versions that a write asked not to notify of are not remembered. All others without a call left the sections
        // as they were.
        if let notified, !isPartial, !delivery.followsSkipped {
            return (notified.layout, core.layout(changing: notified.layout, by: change))
        }
        let known = notified.flatMap { $0.version == since.number ? $0.layout : nil }
        return (known ?? core.transferred(to: since.instance).layout, core.layout)
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
