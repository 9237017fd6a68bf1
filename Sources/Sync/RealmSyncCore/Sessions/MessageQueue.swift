// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A first-in, first-out queue with constant cost per element.
struct MessageQueue<Element> {
    private var elements: [Element] = []
    private var start = 0

    var count: Int { elements.count - start }
    var first: Element? { start < elements.count ? elements[start] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
        start += 1
        // Consumed elements are removed once they are half of the array. So on average each element is moved at most
        // once.
        if start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    mutating func removeAll() { (elements, start) = ([], 0) }
}
