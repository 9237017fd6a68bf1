// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The rules for two changes of the same property, at the same location or in the same list.
enum ValueRules {
    static func apply(
        _ placeA: Place, _ changeA: Change, _ a: inout Side, _ placeB: Place, _ changeB: Change, _ b: inout Side
    ) throws(MergeError) {
        if changeA.isOfList || changeB.isOfList {
            try inList(placeA, changeA, &a, placeB, changeB, &b)
        } else if placeA.path == placeB.path {
            if try apply(changeA, placeA, &a, changeB, placeB, &b) { return }
            _ = try apply(changeB, placeB, &b, changeA, placeA, &a)
        }
    }

    /// Applies the rules for changes at the same location.
    ///
    /// | pair | rule |
    /// |---|---|
    /// | Update / Update | see `update` |
    /// | AddInteger / Update | see `add` |
    /// | Clear / Update | the same kind of collection: keep both. Else: discard the earlier |
    /// | Clear / AddInteger | discard AddInteger |
    /// | Clear / Clear | discard the earlier |
    /// | Clear / SetInsert, SetErase | discard the latter |
    /// | SetInsert, SetErase / SetInsert, SetErase, equal value | discard the earlier |
    ///
    /// Returns false if the pair is not listed in this order.
    private static func apply(
        _ changeA: Change, _ placeA: Place, _ a: inout Side, _ changeB: Change, _ placeB: Place, _ b: inout Side
    ) throws(MergeError) -> Bool {
        switch (changeA, changeB) {
        case (.update(let valueA, let isDefaultA), .update(let valueB, let isDefaultB)):
            update(valueA, isDefaultA, &a, valueB, isDefaultB, &b)
        case (.updateElement(let valueA, let sizeA), .updateElement(let valueB, let sizeB)):
            guard sizeA == sizeB else { throw sizesDiffer }
            update(valueA, false, &a, valueB, false, &b)
        case (.addInteger(let amount), .update(let value, let isDefault)):
            if let sum = add(amount, to: value, isDefault, &a, b.order) {
                b.instruction = .change(placeB, .update(sum, isDefault: isDefault))
            }
        case (.addInteger(let amount), .updateElement(let value, let size)):
            if let sum = add(amount, to: value, false, &a, b.order) {
                b.instruction = .change(placeB, .updateElement(sum, priorSize: size))
            }
        case (.clear(let kind), .update(let value, _)), (.clear(let kind), .updateElement(let value, _)):
            switch (kind, value) {
            case (.list, .list), (.dictionary, .dictionary): break
            default: discardEarlier(&a, &b)
            }
        case (.clear, .addInteger), (.clear, .setInsert), (.clear, .setErase): b.discard()
        case (.clear, .clear): discardEarlier(&a, &b)
        case (.setInsert(let valueA), .setInsert(let valueB)), (.setInsert(let valueA), .setErase(let valueB)),
            (.setErase(let valueA), .setErase(let valueB)):
            if valueA == valueB { discardEarlier(&a, &b) }
        default: return false
        }
        return true
    }

    /// Both to list or both to dictionary: keep both. Otherwise, if only one is to *object*: discard it. Otherwise, if
    /// only one is a default: discard it. Otherwise: discard the earlier.
    private static func update(
        _ valueA: SyncValue, _ isDefaultA: Bool, _ a: inout Side, _ valueB: SyncValue, _ isDefaultB: Bool,
        _ b: inout Side
    ) {
        switch (valueA, valueB) {
        case (.list, .list), (.dictionary, .dictionary): return
        case (.object, .object): break
        case (.object, _): return a.discard()
        case (_, .object): return b.discard()
        default: break
        }
        if isDefaultA != isDefaultB {
            if isDefaultA { a.discard() } else { b.discard() }
        } else {
            discardEarlier(&a, &b)
        }
    }

    /// If the Update is later and isn't a default: discard AddInteger. Otherwise, if its value is null: no effect; an
    /// int: add the amount to it, and keep both; another type: discard AddInteger.
    ///
    /// Returns the new value of the Update; nil if it's unchanged.
    private static func add(
        _ amount: Int64, to value: SyncValue, _ isDefault: Bool, _ addition: inout Side, _ updateOrder: ChangeOrder
    ) -> SyncValue? {
        guard isDefault || addition.order > updateOrder else {
            addition.discard()
            return nil
        }
        switch value {
        case .null: return nil
        case .int(let number): return .int(number &+ amount)
        default:
            addition.discard()
            return nil
        }
    }

    /// Requires that at least one of the changes inserts, moves or erases an element.
    private static func inList(
        _ placeA: Place, _ changeA: Change, _ a: inout Side, _ placeB: Place, _ changeB: Change, _ b: inout Side
    ) throws(MergeError) {
        guard let depth = placeA.path.listDepth, depth == placeB.path.listDepth,
            placeA.path.shares(depth, with: placeB.path)
        else { return }
        if let stepA = ListStep(placeA, changeA), let stepB = ListStep(placeB, changeB) {
            guard stepA.priorSize == stepB.priorSize else { throw sizesDiffer }
            guard changeA.isPossible(at: stepA.index), changeB.isPossible(at: stepB.index) else {
                throw MergeError("a list has no such element")
            }
            var (first, second) = (stepA, stepB)
            try ListRules.apply(&first, &second, isFirstLater: a.order > b.order)
            first.store(in: &a, placeA, changeA, before: stepA)
            second.store(in: &b, placeB, changeB, before: stepB)
        } else if changeA.isOfList {
            try NestedRules.follow(changeA, at: placeA.path, placeB, changeB, &b)
        } else {
            try NestedRules.follow(changeB, at: placeB.path, placeA, changeA, &a)
        }
    }

    private static var sizesDiffer: MergeError { MergeError("a list has two sizes") }
}

extension Change {
    fileprivate var isOfList: Bool {
        switch self {
        case .insert, .move, .erase: true
        default: false
        }
    }
}
