// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct ListStep: Hashable {
    enum Kind: Hashable {
        case update
        case insert
        case erase
        case move
    }

    let kind: Kind
    /// The index of the element, or the source index of a move.
    var index: Int
    /// The target index of a move; unused for other kinds.
    var target = 0
    var priorSize: Int
    var isDiscarded = false

    init?(_ place: Place, _ change: Change) {
        guard let index = place.path.lastIndex, let size = change.priorSize else { return nil }
        self.index = index
        priorSize = size
        switch change {
        case .insert: kind = .insert
        case .erase: kind = .erase
        case .move(let target, _):
            kind = .move
            self.target = target
        default: kind = .update
        }
    }

    func store(in side: inout Side, _ place: Place, _ change: Change, before: ListStep) {
        if isDiscarded { return side.discard() }
        guard self != before else { return }
        var place = place
        place.path[place.path.count - 1] = .index(index)
        side.instruction = .change(place, self.change(from: change))
    }

    private func change(from change: Change) -> Change {
        switch change {
        case .updateElement(let value, _): .updateElement(value, priorSize: priorSize)
        case .insert(let value, _): .insert(value, priorSize: priorSize)
        case .move: .move(to: target, priorSize: priorSize)
        case .erase: .erase(priorSize: priorSize)
        default: change
        }
    }
}

/// The rules for two instructions on the same list.
///
/// | pair | rule |
/// |---|---|
/// | Insert *i* / Insert *j* | both sizes +1. *i* > *j*: *i* += 1; *i* < *j*: *j* += 1; equal: the later +1 |
/// | Insert *i* / Update *j* | Update's size +1; *j* ≥ *i*: *j* += 1 |
/// | Erase *i* / Update *j* | Update's size −1; *i* = *j*: discard Update; *j* > *i*: *j* −= 1 |
/// | Erase *i* / Insert *j* | Erase's size +1, Insert's size −1; *j* ≤ *i*: *i* += 1, else *j* −= 1 |
/// | Erase *i* / Erase *j* | both sizes −1; *i* > *j*: *i* −= 1; *i* < *j*: *j* −= 1; equal: discard both |
/// | Move *f*→*t* / Update *j* | *j* = *f*: *j* := *t*. Else: *j* > *f*: *j* −= 1; then *j* ≥ *t*: *j* += 1 |
/// | Move *f*→*t* / Insert *j* | see `move(_:insert:)` |
/// | Erase *i* / Move *f*→*t* | see `erase(_:move:)` |
/// | Move *f*→*t* / Move *g*→*u* | see `move(_:move:)` |
enum ListRules {
    /// Applies the rules. The sizes must be equal, and both steps valid.
    static func apply(_ a: inout ListStep, _ b: inout ListStep, isFirstLater: Bool) throws(MergeError) {
        switch (a.kind, b.kind) {
        case (.insert, .insert): try insert(&a, insert: &b, isFirstLater)
        case (.insert, .update): try insert(a, update: &b)
        case (.update, .insert): try insert(b, update: &a)
        case (.erase, .update): erase(a, update: &b)
        case (.update, .erase): erase(b, update: &a)
        case (.erase, .insert): try erase(&a, insert: &b)
        case (.insert, .erase): try erase(&b, insert: &a)
        case (.erase, .erase): erase(&a, erase: &b)
        case (.move, .update): move(a, update: &b)
        case (.update, .move): move(b, update: &a)
        case (.move, .insert): try move(&a, insert: &b, isMoveLater: isFirstLater)
        case (.insert, .move): try move(&b, insert: &a, isMoveLater: !isFirstLater)
        case (.erase, .move): erase(&a, move: &b)
        case (.move, .erase): erase(&b, move: &a)
        case (.move, .move): move(&a, move: &b, isFirstLater)
        case (.update, .update): break
        }
    }

    private static func grow(_ step: inout ListStep) throws(MergeError) {
        guard step.priorSize < UInt32.max else { throw MergeError("the size of a list exceeds 32 bits") }
        step.priorSize += 1
    }

    private static func insert(_ a: inout ListStep, insert b: inout ListStep, _ isFirstLater: Bool) throws(MergeError) {
        try grow(&a)
        try grow(&b)
        if a.index > b.index || a.index == b.index && isFirstLater { a.index += 1 } else { b.index += 1 }
    }

    private static func insert(_ insert: ListStep, update: inout ListStep) throws(MergeError) {
        try grow(&update)
        if update.index >= insert.index { update.index += 1 }
    }

    private static func erase(_ erase: ListStep, update: inout ListStep) {
        update.priorSize -= 1
        if update.index == erase.index {
            update.isDiscarded = true
        } else if update.index > erase.index {
            update.index -= 1
        }
    }

    private static func erase(_ erase: inout ListStep, insert: inout ListStep) throws(MergeError) {
        try grow(&erase)
        insert.priorSize -= 1
        if insert.index <= erase.index { erase.index += 1 } else { insert.index -= 1 }
    }

    private static func erase(_ a: inout ListStep, erase b: inout ListStep) {
        a.priorSize -= 1
        b.priorSize -= 1
        if a.index > b.index {
            a.index -= 1
        } else if a.index < b.index {
            b.index -= 1
        } else {
            a.isDiscarded = true
            b.isDiscarded = true
        }
    }

    private static func move(_ move: ListStep, update: inout ListStep) {
        if update.index == move.index {
            update.index = move.target
        } else {
            if update.index > move.index { update.index -= 1 }
            if update.index >= move.target { update.index += 1 }
        }
    }

    private static func move(
        _ move: inout ListStep, insert: inout ListStep, isMoveLater: Bool
    ) throws(MergeError) {
        try grow(&move)
        if insert.index > move.index { insert.index -= 1 } else { move.index += 1 }
        if insert.index < move.target || insert.index == move.target && !isMoveLater {
            move.target += 1
        } else {
            insert.index += 1
        }
    }

    private static func erase(_ erase: inout ListStep, move: inout ListStep) {
        move.priorSize -= 1
        if erase.index == move.index {
            erase.index = move.target
            move.isDiscarded = true
            return
        }
        if erase.index > move.index { erase.index -= 1 } else { move.index -= 1 }
        if erase.index >= move.target { erase.index += 1 } else { move.target -= 1 }
        if move.index == move.target { move.isDiscarded = true }
    }

    private static func move(_ a: inout ListStep, move b: inout ListStep, _ isFirstLater: Bool) {
        if a.index == b.index {
            if isFirstLater { moveSame(later: &a, earlier: &b) } else { moveSame(later: &b, earlier: &a) }
            return
        }
        if a.index < b.index { b.index -= 1 } else { a.index -= 1 }
        if a.target > b.index { a.target -= 1 } else { b.index += 1 }
        if a.index < b.target { b.target -= 1 } else { a.index += 1 }
        if a.target < b.target || a.target == b.target && !isFirstLater { b.target += 1 } else { a.target += 1 }
        if a.index == a.target { a.isDiscarded = true }
        if b.index == b.target { b.isDiscarded = true }
    }

    private static func moveSame(later: inout ListStep, earlier: inout ListStep) {
        earlier.isDiscarded = true
        later.index = earlier.target
        if later.index == later.target { later.isDiscarded = true }
    }
}
