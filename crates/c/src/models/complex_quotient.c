    {
        FLOATING large = LIMIT_MAX__ / 2, small = LIMIT_MIN__, tiny = LIMIT_EPSILON__;
        FLOATING size_a = a < 0 ? -a : a, size_b = b < 0 ? -b : b;
        FLOATING size_c = c < 0 ? -c : c, size_d = d < 0 ? -d : d;
        FLOATING greater = size_c < size_d ? size_d : size_c;
        FLOATING scale = 1, ratio, size, divisor;
        if (greater >= large) {
            a = a / 2, b = b / 2, c = c / 2, d = d / 2;
            size_a = size_a / 2, size_b = size_b / 2, greater = greater / 2;
        }
        if (greater < tiny
            || (size_a < small && size_b < large * tiny && greater < large * tiny)
            || (size_b < small && size_a < large * tiny && greater < large * tiny)) {
            scale = 1 / tiny;
            a = a * scale, b = b * scale, c = c * scale, d = d * scale;
        }
        if (size_c < size_d) {
            ratio = c / d;
            divisor = c * ratio + d;
            size = ratio < 0 ? -ratio : ratio;
            if (size > small) {
                x = (a * ratio + b) / divisor;
                y = (b * ratio - a) / divisor;
            } else {
                x = (c * (a / d) + b) / divisor;
                y = (c * (b / d) - a) / divisor;
            }
        } else {
            ratio = d / c;
            divisor = d * ratio + c;
            size = ratio < 0 ? -ratio : ratio;
            if (size > small) {
                x = (b * ratio + a) / divisor;
                y = (b - a * ratio) / divisor;
            } else {
                x = (a + d * (b / c)) / divisor;
                y = (b - d * (a / c)) / divisor;
            }
        }
    }
