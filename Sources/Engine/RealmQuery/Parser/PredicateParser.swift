// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Predicate {
    package enum Dialect: Sendable {
        /// The format language of NSPredicate, which doesn't support ALL.
        case predicate
        case query
    }

    /// Parses a text. `arguments` replace the placeholders: those such as `%@` and `%K` in turn, and `$0`, `$1`, … by
    /// number.
    package init(
        parsing text: String, arguments: [PredicateArgument] = [], dialect: Dialect = .predicate
    ) throws(PredicateError) {
        let tokens = try TokenCache.of(dialect).tokens(of: text)
        var parser = PredicateParser(text: text, tokens: tokens, arguments: arguments, dialect: dialect)
        self = try parser.parse()
        if arguments.count == 1, dialect == .predicate { TokenCache.shared.remember(self, of: text, tokens) }
    }

    /// Parses a text of the format language with one argument. A text in the cache isn't parsed again.
    package init(parsing text: String, argument: StoredValue) throws(PredicateError) {
        if let known = TokenCache.shared.comparison(in: text) {
            self = .comparison(Comparison(known.path, known.operation, argument, options: known.options))
        } else {
            try self.init(parsing: text, arguments: [.value(argument)])
        }
    }
}

struct PredicateParser {
    let text: String
    let tokens: [PredicateLexer.PlacedToken]
    let arguments: [PredicateArgument]
    let dialect: Predicate.Dialect
    var index = 0
    private var nextArgument = 0
    /// The variables of the enclosing SUBQUERYs, innermost last.
    var variables: [String] = []
    /// The number of enclosing parentheses, braces, NOTs and SUBQUERYs. It's limited so that no text overflows the
    /// stack.
    private var depth = 0
    /// The number of arithmetic operators in the current condition, which is also the maximum depth of its tree.
    private var operatorCount = 0
    /// Whether each token is a parenthesis that encloses an operand. Computed at the first parenthesis.
    private var arithmeticParentheses: [Bool] = []
    /// Whether the parser reads a path of SORT or DISTINCT, in which keywords are names.
    var readsOrder = false

    init(
        text: String, tokens: [PredicateLexer.PlacedToken], arguments: [PredicateArgument],
        dialect: Predicate.Dialect
    ) {
        self.text = text
        self.tokens = tokens
        self.arguments = arguments
        self.dialect = dialect
    }

    mutating func parse() throws(PredicateError) -> Predicate {
        let predicate = try disjunction()
        guard token == .end else { throw expected("AND, OR or the end") }
        return predicate
    }

    // MARK: Compounds

    mutating func disjunction() throws(PredicateError) -> Predicate {
        var conditions = [try conjunction()]
        while takeKeyword("or") || takeSymbol("||") { conditions.append(try conjunction()) }
        return .any(conditions)
    }

    private mutating func conjunction() throws(PredicateError) -> Predicate {
        var conditions = [try negation()]
        while takeKeyword("and") || takeSymbol("&&") { conditions.append(try negation()) }
        return .all(conditions)
    }

    private mutating func negation() throws(PredicateError) -> Predicate {
        try enter()
        defer { depth -= 1 }
        if takePrefix("not") || takeSymbol("!") { return .not(try negation()) }
        if token == .symbol("("), !startsArithmetic() {
            index += 1
            let predicate = try disjunction()
            guard takeSymbol(")") else { throw expected("AND, OR or ')'") }
            return predicate
        }
        if takePrefix("truepredicate") { return .constant(true) }
        if takePrefix("falsepredicate") { return .constant(false) }
        return try comparison()
    }

    private mutating func enter() throws(PredicateError) {
        depth += 1
        guard depth <= QueryLimits.depth else { throw expected("fewer parentheses") }
    }

    // MARK: Comparisons

    private mutating func comparison() throws(PredicateError) -> Predicate {
        if variables.isEmpty { operatorCount = 0 }
        var quantifier = try quantifier()
        let left = try operand()
        var operation = try comparisonOperator()
        let options = try options(of: operation)
        if dialect == .query {
            if let comparisons = try quantifiedList(left, operation, options) { return comparisons }
            if operation == .in, token == .symbol("{") { return try membership(left, options, quantifier) }
            // Either side of a comparison may have the quantifier.
            if quantifier == nil { quantifier = try self.quantifier() }
        }
        let joined = try joinedArguments(operation)
        let right = if let joined { joined } else { try operand() }
        if dialect == .query, case .values(let values) = left, let mirrored = operation.mirrored {
            let comparisons = values.map { Comparison(right, mirrored, .value($0), options: options) }
            return combined(comparisons, quantifier ?? .any)
        }
        if operation == .in, case .shape = right { operation = .geoWithin }
        let language: TextOptions = dialect == .query && left.isVariable && right.isVariable ? .queryLanguage : []
        return .comparison(
            Comparison(left, operation, right, options: options.union(language), quantifier: quantifier))
    }

    /// Returns the arguments as the list after IN or BETWEEN, if its placeholder is the only one. Swift passes an
    /// `[Any]` that is the only argument of a function as the arguments themselves (row R35). Returns nil if the list
    /// is an argument of its own.
    private mutating func joinedArguments(_ operation: ComparisonOperator) throws(PredicateError) -> Operand? {
        guard operation == .in || operation == .between, token == .argument, nextArgument == 0,
            tokens.count(where: { $0.token == .argument || $0.token == .pathArgument }) == 1
        else { return nil }
        var values: [StoredValue] = []
        for argument in arguments {
            guard case .value(let value) = argument else { return nil }
            values.append(value)
        }
        index += 1
        nextArgument = arguments.count
        return .values(values)
    }

    /// `age > ALL {1, 2}` abbreviates the comparisons with each value; `name IN ANY {…}` tests for equality.
    private mutating func quantifiedList(
        _ left: Operand, _ operation: ComparisonOperator, _ options: TextOptions
    ) throws(PredicateError) -> Predicate? {
        guard case .word = token, tokens[index + 1].token == .symbol("{"), let quantifier = try quantifier() else {
            return nil
        }
        let actual = operation == .in ? .equal : operation
        return combined(
            try list().map { Comparison(left, actual, .value($0), options: options) }, quantifier)
    }

    /// `path IN {…}`. A list with objects becomes a comparison with each, because objects are looked up when they are
    /// compared.
    private mutating func membership(
        _ left: Operand, _ options: TextOptions, _ quantifier: Quantifier?
    ) throws(PredicateError) -> Predicate {
        let elements = try elements()
        guard elements.contains(where: \.isObject), quantifier != .all else {
            let values = try constants(elements)
            return .comparison(Comparison(left, .in, .values(values), options: options, quantifier: quantifier))
        }
        return combined(
            elements.map { element in
                Comparison(left, .equal, element, options: options, quantifier: quantifier.map { _ in .any })
            }, quantifier == .no ? .no : .any)
    }

    private func combined(_ comparisons: [Comparison], _ quantifier: Quantifier) -> Predicate {
        let predicates = comparisons.map { Predicate.comparison($0) }
        switch quantifier {
        case .any: return .any(predicates)
        case .all: return .all(predicates)
        case .no: return .not(.any(predicates))
        }
    }

    private mutating func quantifier() throws(PredicateError) -> Quantifier? {
        if takePrefix("any") || takePrefix("some") { return .any }
        if takePrefix("none") { return .no }
        guard takePrefix("all") else { return nil }
        guard dialect == .query else { throw PredicateError(.invalidPredicate, "ALL modifier not supported") }
        return .all
    }

    private mutating func comparisonOperator() throws(PredicateError) -> ComparisonOperator {
        switch token {
        case .symbol("=="), .symbol("="): index += 1; return .equal
        case .symbol("!="), .symbol("<>"): index += 1; return .notEqual
        case .symbol("<"): index += 1; return .less
        case .symbol("<="), .symbol("=<"): index += 1; return .lessOrEqual
        case .symbol(">"): index += 1; return .greater
        case .symbol(">="), .symbol("=>"): index += 1; return .greaterOrEqual
        case .word(let word, escaped: false):
            if let operation = ComparisonOperator(rawValue: word.uppercased()) {
                index += 1
                return operation
            }
        default: break
        }
        throw expected("an operator such as == or CONTAINS")
    }

    private mutating func options(of operation: ComparisonOperator) throws(PredicateError) -> TextOptions {
        let language: TextOptions = dialect == .query ? .queryLanguage : []
        guard takeSymbol("[") else { return operation.isTextual ? language : [] }
        var options: TextOptions = []
        guard case .word(let letters, _) = token else { throw expected("c, d or cd") }
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            // Locale and normalisation have no effect.
            case "n", "l": break
            default: throw expected("c, d or cd")
            }
        }
        index += 1
        guard takeSymbol("]") else { throw expected("']'") }
        return options.isEmpty && !operation.isTextual ? [] : options.union(language)
    }

    // MARK: Operands

    private mutating func operand() throws(PredicateError) -> Operand {
        var left = try term()
        while let operation = takeArithmetic([.plus, .minus]) {
            left = try combined(left, operation, try term())
        }
        return left
    }

    private mutating func term() throws(PredicateError) -> Operand {
        var left = try factor()
        while let operation = takeArithmetic([.times, .divided]) {
            left = try combined(left, operation, try factor())
        }
        return left
    }

    private mutating func takeArithmetic(_ operations: [ArithmeticOperator]) -> ArithmeticOperator? {
        operations.first { takeSymbol($0.rawValue) }
    }

    private mutating func combined(
        _ left: Operand, _ operation: ArithmeticOperator, _ right: Operand
    ) throws(PredicateError) -> Operand {
        guard dialect == .query else {
            throw PredicateError(
                .invalidPredicate, "The '\(operation.functionName)' function is not supported.", position: position)
        }
        operatorCount += 1
        guard operatorCount <= QueryLimits.operators else { throw expected("fewer arithmetic operators") }
        return .arithmetic(left, operation, right)
    }

    private mutating func factor() throws(PredicateError) -> Operand {
        guard takeSymbol("(") else { return try simpleOperand() }
        try enter()
        defer { depth -= 1 }
        let operand = try operand()
        guard takeSymbol(")") else { throw expected("an arithmetic operator or ')'") }
        return operand
    }

    /// Whether the parenthesis at this position encloses an operand: it contains no comparison outside a SUBQUERY.
    private mutating func startsArithmetic() -> Bool {
        if arithmeticParentheses.isEmpty { arithmeticParentheses = findArithmeticParentheses() }
        return arithmeticParentheses[index]
    }

    /// One pass over all tokens. Looking ahead from each parenthesis would take quadratic time.
    private func findArithmeticParentheses() -> [Bool] {
        var result = [Bool](repeating: false, count: tokens.count)
        var open: [(place: Int, isSubquery: Bool, hasCondition: Bool)] = []
        for place in tokens.indices {
            switch tokens[place].token {
            case .symbol("("): open.append((place, isSubquery(before: place), false))
            case .symbol(")"):
                guard let closed = open.popLast() else { return result }
                result[closed.place] = !closed.hasCondition
                if closed.hasCondition, !closed.isSubquery, !open.isEmpty { open[open.count - 1].hasCondition = true }
            default:
                if let inner = open.last, !inner.hasCondition, isPartOfCondition(place) {
                    open[open.count - 1].hasCondition = true
                }
            }
        }
        return result
    }

    private func isSubquery(before place: Int) -> Bool {
        guard place > 0, case .word(let word, escaped: false) = tokens[place - 1].token else { return false }
        return word.lowercased() == "subquery"
    }

    /// Whether a token outside a SUBQUERY belongs to a condition, and not to an operand.
    private func isPartOfCondition(_ place: Int) -> Bool {
        switch tokens[place].token {
        case .symbol(let symbol):
            return ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "&&", "||", "!"].contains(symbol)
        case .word(let word, escaped: false):
            let isWord =
                ComparisonOperator(rawValue: word.uppercased()) != nil
                || ["and", "or", "not", "truepredicate", "falsepredicate"].contains(word.lowercased())
            guard isWord else { return false }
            // A name can't follow an operand or the options in brackets.
            let before = place > 0 ? tokens[place - 1].token : .end
            if before.isOperandEnd || before == .symbol("]") { return true }
            let next = tokens[place + 1].token
            return !isName(place) && (next != .symbol(")") || word.lowercased().hasSuffix("predicate"))
        default: return false
        }
    }

    private mutating func simpleOperand() throws(PredicateError) -> Operand {
        switch token {
        case .value(let value):
            index += 1
            return .value(value)
        case .argument:
            index += 1
            return try operand(of: try takeArgument())
        case .variable(let name) where Int(name) != nil && variables.last != name:
            guard let number = Int(name), number < arguments.count else {
                throw expected("an argument that was passed")
            }
            index += 1
            return try operand(of: arguments[number])
        case .symbol("{"): return .values(try list())
        case .word(let word, escaped: false) where tokens[index + 1].token == .symbol("("):
            if let operand = try call(word.lowercased()) { return operand }
            return .path(try path())
        default: return .path(try path())
        }
    }

    private func operand(of argument: PredicateArgument) throws(PredicateError) -> Operand {
        switch argument {
        case .value(let value): return .value(value)
        case .shape(let shape): return .shape(shape)
        case .list(let list):
            var values: [StoredValue] = []
            for element in list { values.append(try value(of: element)) }
            return .values(values)
        }
    }

    private func value(of argument: PredicateArgument) throws(PredicateError) -> StoredValue {
        guard case .value(let value) = argument else {
            throw PredicateError(.invalidValue, "Expressions within predicate aggregates must be constant values")
        }
        return value
    }

    mutating func takeArgument() throws(PredicateError) -> PredicateArgument {
        guard nextArgument < arguments.count else {
            index -= 1
            throw expected("an argument for each placeholder, but the number of arguments is \(arguments.count)")
        }
        nextArgument += 1
        return arguments[nextArgument - 1]
    }

    /// `{value, …}`; an argument that is a list adds all of its values.
    private mutating func list() throws(PredicateError) -> [StoredValue] { try constants(try elements()) }

    private mutating func elements() throws(PredicateError) -> [Operand] {
        try enter()
        defer { depth -= 1 }
        index += 1
        var elements: [Operand] = []
        guard !takeSymbol("}") else { return elements }
        repeat {
            switch try operand() {
            case .values(let more): elements += more.map { .value($0) }
            case let element: elements.append(element)
            }
        } while takeSymbol(",")
        guard takeSymbol("}") else { throw expected("',' or '}'") }
        return elements
    }

    private func constants(_ elements: [Operand]) throws(PredicateError) -> [StoredValue] {
        var values: [StoredValue] = []
        for element in elements {
            guard case .value(let value) = element else {
                throw PredicateError(.invalidValue, "Expressions within predicate aggregates must be constant values")
            }
            values.append(value)
        }
        return values
    }

    // MARK: Subqueries

    mutating func subquery() throws(PredicateError) -> Operand {
        try enter()
        defer { depth -= 1 }
        index += 1
        guard takeSymbol("(") else { throw expected("'('") }
        let path = try path()
        guard takeSymbol(","), case .variable(let variable) = token else { throw expected("a variable such as $x") }
        index += 1
        guard takeSymbol(",") else { throw expected("','") }
        variables.append(variable)
        guard variables.count <= QueryLimits.subqueries else { throw expected("fewer SUBQUERYs") }
        let condition = try disjunction()
        variables.removeLast()
        guard takeSymbol(")") else { throw expected("AND, OR or ')'") }
        guard takeSymbol("."), token == .at("count") || token == .at("size") else {
            throw PredicateError(
                .invalidExpression, "SUBQUERY is only supported when immediately followed by .@count.",
                position: position)
        }
        index += 1
        return .subqueryCount(path, variable: variable, condition)
    }

    // MARK: Tokens

    var token: PredicateToken { tokens[index].token }
    var position: Int { tokens[index].position }

    mutating func takeSymbol(_ symbol: String) -> Bool {
        guard token == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    mutating func takeKeyword(_ keyword: String) -> Bool {
        guard isAt(keyword) else { return false }
        index += 1
        return true
    }

    func isAt(_ keyword: String) -> Bool {
        guard case .word(let word, escaped: false) = token, word.utf8.count == keyword.utf8.count else { return false }
        return word.lowercased() == keyword
    }

    /// Consumes a keyword at a position where a property is also possible.
    mutating func takePrefix(_ keyword: String) -> Bool { isAt(keyword) && !isName && takeKeyword(keyword) }

    /// Whether the current word is a property despite its keyword's spelling, because the next token can only follow a
    /// property.
    var isName: Bool { isName(index) }

    func isName(_ place: Int) -> Bool {
        guard case .word = tokens[place].token else { return false }
        switch tokens[place + 1].token {
        case .symbol(let symbol):
            if [")", ",", "&&", "||"].contains(symbol) { return isQuantifier(place) }
            return symbol == "." || symbol == "[" || "=<>".contains(symbol.last ?? " ") || symbol == "!="
                || ArithmeticOperator(rawValue: symbol) != nil
        case .word(let word, escaped: false) where ["and", "or"].contains(word.lowercased()): return isQuantifier(place)
        case .word(let word, escaped: false): return isOperator(word, behind: place + 2)
        case .end: return isQuantifier(place)
        default: return false
        }
    }

    /// Whether the word is spelled like a quantifier. It's a property unless an operand follows.
    private func isQuantifier(_ place: Int) -> Bool {
        guard case .word(let word, _) = tokens[place].token else { return false }
        return ["any", "some", "all", "none"].contains(word.lowercased())
    }

    /// Whether a word is an operator. TEXT and GEOWITHIN can also be properties, depending on the next token.
    private func isOperator(_ word: String, behind next: Int) -> Bool {
        guard let operation = ComparisonOperator(rawValue: word.uppercased()) else { return false }
        guard operation == .text || operation == .geoWithin else { return true }
        switch tokens[next].token {
        case .value, .argument, .variable: return true
        case .word: return operation == .geoWithin && tokens[next + 1].token == .symbol("(")
        default: return false
        }
    }

    func expected(_ what: String) -> PredicateError {
        .syntax("expected \(what), found \(token.text)", in: text, at: position)
    }
}

extension Operand {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    fileprivate var isVariable: Bool {
        switch self {
        case .path, .arithmetic, .subqueryCount: true
        case .value, .values, .shape, .object: false
        }
    }
}
